"""What our own games declare for programs that learn them; their manifests refer to it."""
