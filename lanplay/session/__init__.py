"""The application: find, host, join, play, resume and watch a table, whatever shows it.

It knows no command line and no terminal: it is made of typed settings (``settings``), and who uses
it says how it is seen.
"""
