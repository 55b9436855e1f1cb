"""The full screen: what people see who play in a terminal.

=================  ===============================================================================
``cells``          lines of marked text and how they are cut, padded, wrapped and set side by side
``glyphs``         what is drawn with: Unicode or ASCII
``theme``          what each mark looks like: palettes by terminal, taste and eyes
``decision``       a person's way through a question, until it is committed
``drawing``        pure functions from state to lines that several screens share
``games``          one screen per game, found by its name: what lies on its table
``screens``        what fills the terminal: lobby, forming table, table, help, result
``stage``          the stack of screens, and where keys go
``application``    the stage in prompt-toolkit
``loop``           the event loops; the only module that knows asyncio
=================  ===============================================================================

All but the last two know no terminal: tests call them and compare lines. Screens are driven from
trio and wait for their person with trio's own means.
"""
