"""``lanplay doctor``: a fault has a remedy and a status; nothing is changed by looking."""

from __future__ import annotations

import argparse
import json
import re
import socket
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import ifaddr
import pytest

from lanplay.cli import doctor, main
from lanplay.cli.doctor import network, program, terminal
from lanplay.cli.doctor.finding import TOPICS, State, state_word
from lanplay.language import TAGS, _, speaking
from lanplay.session.profile import FILE, own_identity
from lanplay_protocol.shell import echo

LOOPBACK = ["--interface", "127.0.0.1"]
NOT_OURS = "198.51.100.7"
"""For documentation (RFC 5737): the system takes it for none of its own."""


@pytest.fixture
def checked(tmp_path, monkeypatch, capsys):
    """Run doctor on loopback, with a folder of its own; return its status and findings by topic."""
    monkeypatch.setenv("LANPLAY_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("LANPLAY_DATA", str(tmp_path / "data"))

    def run(*arguments):
        status = main(["doctor", "--json", *LOOPBACK, *arguments])
        said = json.loads(capsys.readouterr().out)
        assert said["fine"] == (status == 0)
        for finding in said["findings"]:
            assert finding["remedy"] or finding["state"] != "FAULT"
        return status, {finding["topic"]: finding for finding in said["findings"]}

    return run


def test_a_sound_machine_has_no_fault(checked, tmp_path):
    """On loopback all is well: multicast comes back, a port is free, and no folder was made."""
    status, found = checked()
    assert status == 0
    assert found["multicast"]["state"] == "ok"
    assert found["port"]["state"] == "ok"
    assert "trio" in found["packages"]["text"]
    assert not (tmp_path / "data").exists()


def test_a_kept_game_that_cannot_be_opened_is_named(checked, tmp_path):
    """The reason alone would tell nobody where to look."""
    games = tmp_path / "data" / "games"
    (games / "x.game").mkdir(parents=True)
    _, found = checked()
    assert "x.game cannot be opened" in found["unfinished"]["text"]


def test_the_report_is_for_people(capsys):
    """Without ``--json`` there is a line for each finding, and a last one."""
    assert main(["doctor", *LOOPBACK]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok    lanplay")
    assert lines[-1] == "No fault was found."


@pytest.mark.parametrize("tag", TAGS)
def test_the_report_for_people_is_in_their_language(tag, capsys):
    """States and topics are words of the language; for programs they stay English."""
    assert main(["doctor", *LOOPBACK, "--lang", tag]) == 0
    lines = capsys.readouterr().out.splitlines()
    with speaking(tag):
        words = [state_word(State.OK), *(_(topic) for topic in TOPICS.values())]
        assert lines[0].startswith(f"{words[0]} ")
    assert sum(any(word in line for word in words[1:]) for line in lines) > 6
    assert ("packages" in " ".join(words)) == (tag == "en")
    main(["doctor", "--json", *LOOPBACK, "--lang", tag])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {"packages", "language"} <= {each["topic"] for each in found}
    assert {each["state"] for each in found} <= {"ok", "note", "FAULT"}


def test_every_topic_has_its_word():
    """What a finding is about is a key of ``TOPICS``, or a proper name."""
    named = re.compile(r"\b(?:ok|note|fault|_place)\(\s*\"(\w+)\"")
    folder = Path(doctor.__file__).parent
    found = {
        topic
        for path in folder.glob("*.py")
        for topic in named.findall(path.read_text(encoding="utf-8"))
    }
    assert found - TOPICS.keys() <= {"lanplay", "python"}


def test_a_port_in_use_is_a_fault(checked, monkeypatch):
    """Where another program listens, the port cannot be used."""
    monkeypatch.setattr(network, "DIAL_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        status, found = checked("--port", str(server.getsockname()[1]))
    assert status == 2
    assert found["port"]["state"] == "FAULT"
    assert "another lanplay" not in found["port"]["text"]


def test_a_missing_address_is_a_fault(checked):
    """An interface that is not there is named beside those that are."""
    status, found = checked("--interface", "192.0.2.77")
    assert status == 2
    assert "192.0.2.77" in found["interface"]["text"]


def test_wrong_settings_are_a_fault_and_unknown_ones_a_note(checked, tmp_path):
    """Doctor runs although the settings' file is wrong."""
    (tmp_path / "config.toml").write_text('bto = "x"\n')
    assert checked()[1]["settings"]["state"] == "note"
    (tmp_path / "config.toml").write_text("bot = steady\n")
    status, found = checked()
    assert status == 2
    assert found["settings"]["state"] == "FAULT"


def test_a_folder_that_cannot_be_written_is_a_fault(checked, tmp_path):
    """A file in the way of the data folder is told, and what to do."""
    (tmp_path / "data").write_text("in the way")
    status, found = checked()
    assert status == 2
    assert found["data"]["state"] == found["records"]["state"] == "FAULT"
    assert "--data" in found["data"]["remedy"]


@pytest.mark.skipif(sys.platform == "win32", reason="the lock of this process counts there alike")
def test_a_running_program_is_told_by_its_identity(checked, tmp_path):
    """Who holds this installation's identity is another lanplay."""
    assert "running" not in checked()[1]
    own_identity(tmp_path / "data", print)
    assert (tmp_path / "data" / FILE).exists()
    assert checked()[1]["running"]["state"] == "note"


def test_multicast_that_does_not_come_back_is_a_fault(checked, monkeypatch):
    """The remedy names the firewall of this system and the way by address."""

    def silence(address):
        raise echo.NoEcho("nothing was heard")

    monkeypatch.setattr(echo, "multicast_comes_back", silence)
    status, found = checked()
    assert status == 2
    assert "nothing was heard" in found["multicast"]["text"]
    assert "lanplay join HOST:PORT" in found["multicast"]["remedy"]


def test_an_adapter_that_is_not_connected_is_no_network_and_no_fault_of_multicast(monkeypatch):
    """Windows gives each of its many a link-local address, at which nothing can be sent or heard.

    It was told as a fault with advice on the firewall.
    """
    named = {"lo": "127.0.0.1", "Bluetooth": NOT_OURS}
    adapters = [ifaddr.Adapter(name, name, [ifaddr.IP(ip, 8, name)]) for name, ip in named.items()]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(sys, "platform", "win32")
    anywhere = SimpleNamespace(network=SimpleNamespace(interfaces=None))
    found = [*network.check_interfaces(anywhere), *network.check_multicast(anywhere)]
    assert [(each.state, each.text) for each in found] == [
        ("ok", "lo: 127.0.0.1"),
        ("note", "Bluetooth: not connected"),
        ("FAULT", "this machine is on no network"),
    ]


def test_a_missing_package_is_a_fault(monkeypatch):
    """What lanplay needs is what its installation brings, and what is not there is named."""
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    brought = tomllib.loads(text)["project"]["dependencies"]
    assert {re.split("[<>=]", each)[0] for each in brought} == program.NEEDED.keys()
    monkeypatch.setitem(program.NEEDED, "no-such-package", "no_such_package")
    [fault] = [each for each in program._packages() if each.state == "FAULT"]
    assert "no-such-package" in fault.text


def test_a_missing_optional_package_is_a_note(monkeypatch):
    """It names the one part that needs it."""
    monkeypatch.setitem(program.OPTIONAL, "no-such", ("no_such_package", "lanplay frobnicate"))
    notes = [each for each in program._packages() if "lanplay frobnicate" in each.text]
    assert [each.state for each in notes] == ["note"]


@pytest.mark.parametrize(
    ("encoding", "lost"), [("utf-8", False), ("cp437", True), ("no-such", True)]
)
def test_letters_that_the_terminal_lacks_are_a_note(encoding, lost, monkeypatch):
    """An encoding without the letters and signs of the screens is told, with what to do."""
    monkeypatch.setattr(sys, "stdout", argparse.Namespace(encoding=encoding))
    finding = terminal._letters()
    assert (finding.state == "note") == lost == bool(finding.remedy)


def test_a_small_window_is_a_note(monkeypatch):
    """A window below 80x24 is told."""
    monkeypatch.setenv("COLUMNS", "79")
    monkeypatch.setenv("LINES", "24")
    assert "80x24" in terminal._size().remedy


def test_a_system_without_multicast_is_an_error_with_a_reason(monkeypatch):
    """Where the system refuses the sockets, its reason comes along."""

    def refused(*_, **__):
        raise OSError(19, "No such device")

    monkeypatch.setattr(echo, "Zeroconf", refused)
    with pytest.raises(echo.NoEcho, match="No such device"):
        echo.multicast_comes_back("127.0.0.1")


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX's")
@pytest.mark.parametrize("there", [True, False])
def test_a_disk_that_takes_a_name_and_nothing_in_it_is_a_fault(there, checked, tmp_path):
    """A full disk has room for empty files, also where the folder is yet to be made."""
    import resource

    if there:
        (tmp_path / "data").mkdir()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        status, found = checked()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (status, found["data"]["state"]) == (2, "FAULT")
