"""People with phones in a game that comes after another: a rematch, or one continued anew."""

from __future__ import annotations

from lanplay.session import commands as c
from lanplay.session import events as e
from lanplay.session.audience import EVERYBODY, OWNER, Audience
from lanplay.session.on_disk import guests_of
from lanplay.web import inviting
from tests.session.test_commands import until
from tests.web.guests import laptop

TOM = 1
"""The seat of the phone."""


def away(eva):
    return eva.session.snapshot(EVERYBODY).away


def went(eva):
    return [(each.seat, each.away) for each in eva.hosts.of(e.AwayChanged)]


def asked(eva):
    return eva.session.snapshot(EVERYBODY).asked or {}


async def played_again(eva):
    """Let AI play the game to its end, and another one begin."""
    for audience in (Audience(owner=True), Audience(person="Tom")):
        if (seat := eva.session.snapshot(audience).own) not in away(eva):
            eva.session.submit(c.SetAway(seat, True))
    await until(lambda: eva.hosts.of(e.Ended))
    eva.session.submit(c.Rematch())
    await until(lambda: c.StartGame in {each.kind for each in eva.session.commands(OWNER)})
    eva.session.submit(c.StartGame())
    await until(lambda: eva.session.played)


async def test_ai_answers_in_the_next_game_too_for_whose_phone_sleeps(tmp_path, monkeypatch):
    """It was taken for answered for already: the next game waited for the phone for good."""
    monkeypatch.setattr(inviting, "STAND_IN_SECONDS", 0.5)
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    async with laptop(tmp_path, seats=2) as eva:
        tom = await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: TOM in asked(eva))
        eva.hosts.thinks_after = 0
        assert await tom.tap("hidden") == 204
        await until(lambda: (TOM, True) in went(eva))
        told = len(went(eva))
        eva.hosts.thinks_after = float("inf")
        await played_again(eva)
        await until(lambda: (TOM, True) in went(eva)[told:])


async def test_the_phones_of_the_next_game_are_kept_beside_it_too(tmp_path, monkeypatch):
    """They were the same as before, and kept beside the game before: after a restart their pages
    did not go on."""
    monkeypatch.setattr(inviting, "LOOK_SECONDS", 0.05)
    async with laptop(tmp_path, seats=2) as eva:
        await eva.come("Tom")
        eva.session.submit(c.StartGame())
        await until(lambda: eva.session.kept_in and guests_of(eva.session.kept_in).exists())
        first = eva.session.kept_in
        await played_again(eva)
        await until(lambda: eva.session.kept_in != first)
        await until(lambda: guests_of(eva.session.kept_in).exists())
