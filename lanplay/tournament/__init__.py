"""Tournaments of bots: duplicate deals, honest intervals, the same bytes however they are run.

``plan`` says what is played, ``schedule`` who sits where in which deal, ``playing`` plays deals (in
any process of any machine), ``tally`` adds up, ``running`` conducts, ``storage`` is the folder,
``report`` and ``plots`` are the page. Nothing here knows a game or a bot by name.
"""
