"""Real replicas among liars: a simulator that is free to do anything a modified program could."""
