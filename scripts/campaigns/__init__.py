"""Benches, the network laboratory and long campaigns: run by hand or at night.

Each is a program (``--help``); what they measured stands in ``docs/measurements.md`` and
``docs/benchmarks.md``. Campaigns that need the parts of tests are modules of ``tests``.
"""
