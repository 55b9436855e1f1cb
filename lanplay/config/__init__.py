"""What a person can set once and for all: one declaration per setting, see `declared`.

From each declaration follow the key of the file, the environment variable ``LANPLAY_...``, the
flag, and the text of the commented file that is written at first start. A flag counts before the
environment, the environment before the file, the file before the default: see `loading.inspect`.
"""
