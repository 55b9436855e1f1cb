"""The LAN laboratory itself: what its network does, and that nothing of it remains."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.campaigns.lan_lab import Lab, available
from scripts.campaigns.lan_laptop import NETNS, ROOT, LabError, Laptop, Process
from scripts.campaigns.lossy_switch import Link

MakeLab = Callable[..., Lab]

ECHO = """
    import socket, threading
    def tcp():
        with socket.create_server(("", 7000)) as server:
            while True:
                connection, _ = server.accept()
                while data := connection.recv(65536):
                    connection.sendall(data)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("", 7000))
    threading.Thread(target=tcp, daemon=True).start()
    print("ready", flush=True)
    while True:
        data, sender = udp.recvfrom(2000)
        udp.sendto(data, sender)
"""
PING = """
    import socket, sys, time
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.settimeout(0.5)
    for number in range(int(sys.argv[2])):
        start = time.monotonic()
        try:
            udp.sendto(b"%d" % number, (sys.argv[1], 7000))
            while udp.recv(2000) != b"%d" % number:
                pass
        except OSError:
            time.sleep(0.05)
            continue
        print(time.monotonic() - start)
        break
"""
TCP = """
    import socket, sys
    with socket.create_connection((sys.argv[1], 7000), timeout=60) as connection:
        connection.sendall(bytes(300_000))
        left = 300_000
        while left:
            left -= len(connection.recv(65536))
    print("all back")
"""
HEAR = """
    import socket, struct, sys
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("", 5353))
    group = socket.inet_aton("224.0.0.251") + socket.inet_aton(sys.argv[1])
    udp.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    print("ready", flush=True)
    while True:
        print(udp.recv(2000).decode(), flush=True)
"""
CALL = """
    import socket, sys
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(sys.argv[1]))
    for target in sys.argv[2:]:
        udp.sendto(f"to {target}".encode(), (target, 5353))
"""


def python(script: str, *words: object) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", textwrap.dedent(script), *map(str, words)]


def ready(laptop: Laptop, script: str, *words: object) -> Process:
    process = laptop.start(python(script, *words))
    process.wait_for("ready")
    return process


def ping(laptop: Laptop, address: str, tries: int = 100) -> float | None:
    """Seconds to the echo server at `address` and back, None if no try was answered."""
    answer = laptop.run(python(PING, address, tries), timeout=120)
    return float(answer) if answer else None


def alive(pid: int) -> bool:
    """Whether the process runs; a zombie nobody collected does not."""
    return state(pid) not in "ZX"


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "X"


def becomes(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 200
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def namespaces(lab_name: str) -> list[str]:
    return [path.name for path in NETNS.glob(f"{lab_name}-*")]


@pytest.mark.parametrize("link", [None, Link(), Link(delay=0.005, jitter=0.005, loss=0.1)])
def test_udp_and_tcp_reach_the_other_laptop(lan: MakeLab, link: Link | None) -> None:
    """Datagrams are echoed and a TCP stream arrives whole, over a bridge and over lossy links."""
    a, b = lan(link=link).laptops
    ready(b, ECHO)
    assert ping(a, b.address)
    assert a.run(python(TCP, b.address)) == "all back\n"


def test_round_trip_takes_two_delays(lan: MakeLab) -> None:
    """A round trip is never shorter than twice the shortest one-way delay."""
    a, b = lan(link=Link(delay=0.1, jitter=0.02)).laptops
    ready(b, ECHO)
    trip = ping(a, b.address)
    assert trip is not None
    assert trip >= 2 * (0.1 - 0.02)


def test_links_change_at_run_time(lan: MakeLab) -> None:
    """A running lab takes a slower link, and counts what it carries."""
    lab = lan(link=Link())
    a, b = lab.laptops
    ready(b, ECHO)
    assert ping(a, b.address)
    lab.set(Link(delay=0.15))
    trip = ping(a, b.address)
    assert trip is not None
    assert trip >= 0.3
    assert lab.stats()["forwarded"] >= 4


def test_cut_pair_and_healing(lan: MakeLab) -> None:
    """A cut pair loses everything while a third laptop reaches both; after healing all is well."""
    lab = lan(laptops=3, link=Link())
    a, b, c = lab.laptops
    ready(a, ECHO)
    ready(b, ECHO)
    assert ping(a, b.address)
    lab.cut(0, 1)
    assert ping(a, b.address, tries=3) is None
    assert ping(c, a.address)
    assert ping(c, b.address)
    lab.heal()
    assert ping(a, b.address)


def test_cut_laptop_reaches_nobody(lan: MakeLab) -> None:
    """A laptop cut off alone reaches nobody, though its interface notices nothing."""
    lab = lan(link=Link())
    a, b = lab.laptops
    ready(b, ECHO)
    lab.cut(0)
    assert ping(a, b.address, tries=3) is None
    assert "LOWER_UP" in a.run(["ip", "link", "show", "eth0"])


@pytest.mark.parametrize("link", [None, Link()])
def test_multicast_reaches_all_others(lan: MakeLab, link: Link | None) -> None:
    """A datagram to the mDNS group reaches every other laptop that joined it (RFC 6762 5)."""
    caller, *others = lan(laptops=4, link=link).laptops
    hearing = [ready(laptop, HEAR, laptop.address) for laptop in others]
    caller.run(python(CALL, caller.address, "224.0.0.251"))
    for process in hearing:
        process.wait_for("to 224.0.0.251\n")


def test_multicast_loss_spares_unicast(lan: MakeLab) -> None:
    """Where multicast is lost, a datagram sent later to the laptop itself is the first to come."""
    lab = lan(link=Link())
    a, b = lab.laptops
    ready(b, ECHO)
    assert ping(a, b.address)  # both know the other's hardware address: ARP is broadcast
    heard = ready(b, HEAR, b.address)
    lab.set(Link(multicast_loss=1.0))
    a.run(python(CALL, a.address, "224.0.0.251", b.address))
    assert heard.wait_for("to") == f"ready\nto {b.address}\n"


def test_duplicates_arrive_twice(lan: MakeLab) -> None:
    """With duplicate 1 a datagram sent once is received twice."""
    a, b = lan(link=Link(duplicate=1.0)).laptops
    heard = ready(b, HEAR, b.address)
    a.run(python(CALL, a.address, b.address))
    heard.wait_for(f"to {b.address}\nto {b.address}\n")


@pytest.mark.parametrize("link", [None, Link()])
def test_link_down_and_up(lan: MakeLab, link: Link | None) -> None:
    """A laptop with its network off reaches nobody, and everybody once it is on again."""
    a, b = lan(link=link, default_route=True).laptops
    ready(b, ECHO)
    a.link_down()
    assert ping(a, b.address, tries=3) is None
    a.link_up()
    assert ping(a, b.address)
    assert "default via" in a.run(["ip", "route"])


def test_address_change(lan: MakeLab) -> None:
    """A laptop with a new address is reached there and no longer at the old one."""
    a, b = lan(link=Link()).laptops
    ready(b, ECHO)
    old = b.address
    assert b.change_address() == b.address != old
    assert ping(a, b.address)
    assert ping(a, old, tries=3) is None


def test_ipv6_link_local_is_there_at_once(lan: MakeLab) -> None:
    """Every laptop has an IPv6 link-local address that can be bound when the lab opens."""
    if not Path("/proc/net/if_inet6").exists():
        pytest.skip("no IPv6 in this kernel")
    for laptop in lan(link=Link()).laptops:
        for _ in range(50):
            found = laptop.run(["ip", "-6", "address", "show", "eth0"])
            if "tentative" not in found:
                break
            time.sleep(0.1)
        assert "fe80::" in found
        assert "tentative" not in found


def test_mdns_finds_a_service(lan: MakeLab) -> None:
    """A service that one laptop announces with zeroconf is found by another, no address typed."""
    announce = """
        import socket, sys, threading
        from zeroconf import ServiceInfo, Zeroconf
        kind, address = "_lab._tcp.local.", socket.inet_aton(sys.argv[1])
        Zeroconf().register_service(ServiceInfo(kind, f"table.{kind}", 7, addresses=[address]))
        threading.Event().wait()
    """
    browse = """
        import queue
        from zeroconf import ServiceBrowser, Zeroconf
        found, zc = queue.Queue(), Zeroconf()
        tell = lambda zeroconf, service_type, name, state_change: found.put(name)
        ServiceBrowser(zc, "_lab._tcp.local.", handlers=[tell])
        info = zc.get_service_info("_lab._tcp.local.", found.get(timeout=60), timeout=30_000)
        print(info.parsed_addresses())
        zc.close()
    """
    a, b = lan(link=Link(delay=0.02, jitter=0.01, loss=0.03)).laptops
    a.start([sys.executable, "-c", textwrap.dedent(announce), a.address])
    found = b.run([sys.executable, "-c", textwrap.dedent(browse)], timeout=120)
    assert found == f"['{a.address}']\n"


def test_laptops_have_no_way_out(lan: MakeLab) -> None:
    """A laptop has lo and eth0 only, no route beyond its network, and no sight of this machine."""
    before = socket.if_nameindex()
    a = lan(link=Link()).laptops[0]
    reach = """
        import socket, sys
        print([name for _, name in socket.if_nameindex()])
        for target in (("127.0.0.1", int(sys.argv[1])), ("192.0.2.1", 9)):
            try:
                socket.create_connection(target, timeout=5)
            except OSError as error:
                print(error.strerror)
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        said = a.run(python(reach, server.getsockname()[1]))
    assert said == "['lo', 'eth0']\nConnection refused\nNetwork is unreachable\n"
    assert socket.if_nameindex() == before


def test_two_labs_live_side_by_side(lan: MakeLab, needs_lan: None) -> None:
    """Two labs of one process work at the same time, and ending one leaves the other alone."""
    a, b = lan(link=Link()).laptops
    ready(b, ECHO)
    with Lab(2, Link()) as other:
        ready(other.laptops[1], ECHO)
        assert ping(other.laptops[0], other.laptops[1].address)
        assert ping(a, b.address)
    assert ping(a, b.address)


def test_processes_get_a_fresh_account(
    lan: MakeLab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """HOME, XDG and temporary directories are the laptop's own, the caller's variables unseen."""
    monkeypatch.setenv("LANPLAY_NAME", "leaked")
    a, b = lan().laptops
    assert a.home != b.home
    assert a.home.is_relative_to(tmp_path)
    said = a.run(["/usr/bin/env"], env={"EXTRA": "given"}, cwd=tmp_path)
    variables = dict(line.split("=", 1) for line in said.splitlines())
    assert "LANPLAY_NAME" not in variables
    assert variables["EXTRA"] == "given"
    assert variables["HOME"] == str(a.home)
    assert variables["LANG"] == "C.UTF-8"
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"):
        assert Path(variables[name]).is_relative_to(a.home)
    assert Path(variables["TMPDIR"]).is_dir()


def test_process_reads_stdin_and_freezes(lan: MakeLab) -> None:
    """A process takes lines through a pipe, stops with SIGSTOP, goes on, and dies by SIGKILL."""
    answer = python("for line in iter(input, ''): print('got', line, flush=True)")
    process = lan(laptops=1).laptops[0].start(answer, stdin=subprocess.PIPE)
    assert process.popen.stdin
    process.popen.stdin.write(b"one\n")
    process.popen.stdin.flush()
    process.wait_for("got one")
    process.stop()
    assert becomes(lambda: state(process.pid) == "T")
    process.cont()
    assert becomes(lambda: state(process.pid) != "T")
    process.kill()
    assert process.poll() == -signal.SIGKILL
    process.kill()


def test_failures_say_what_the_process_said(lan: MakeLab) -> None:
    """A command that fails, hangs, ends early or does not exist raises LabError with its output."""
    laptop = lan(laptops=1).laptops[0]
    fail = python("import sys; sys.exit('out of paper')")
    with pytest.raises(LabError, match=r"ended with 1(?s:.*)out of paper"):
        laptop.run(fail)
    with pytest.raises(LabError, match=r"without printing 'ready'(?s:.*)out of paper"):
        laptop.start(fail).wait_for("ready")
    with pytest.raises(LabError, match="still runs"):
        laptop.run(python("import time; time.sleep(600)"), timeout=0.1)
    with pytest.raises(LabError, match="no-such-command"):
        laptop.run(["no-such-command"])


def test_impossible_labs_are_refused(lan: MakeLab) -> None:
    """A wrong number of laptops, an unknown laptop or a cut without a link model gets a reason."""
    with pytest.raises(LabError, match="1 to 49"):
        Lab(0)
    with pytest.raises(ValueError, match="loss must be 0 to 1"):
        Link(loss=3)
    with pytest.raises(LabError, match="cut takes one or two"):
        lan(link=Link()).cut(0, 2)
    with pytest.raises(LabError, match="give it a link"):
        lan().cut(0, 1)


# A process of its own session inside the laptop: killing the leader's group does not reach it.
RUNAWAY = """
    import subprocess, sys, time
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(900)"],
                             start_new_session=True)
    print("ready", child.pid, flush=True)
    time.sleep(900)
"""


@pytest.mark.parametrize("link", [None, Link()])
def test_nothing_remains_after_an_exception(needs_lan: None, link: Link | None) -> None:
    """After the block raised, no namespace, process or directory of the lab remains."""
    with pytest.raises(ZeroDivisionError), Lab(2, link) as lab:
        process = ready(lab.laptops[0], RUNAWAY)
        pids = [process.pid, int(process.output().split()[1])]
        process.stop()
        assert namespaces(lab.name)
        assert all(map(alive, pids))
        _ = 1 / 0
    assert namespaces(lab.name) == []
    assert not any(map(alive, pids))
    assert not lab.directory.exists()


def test_outputs_stay_on_request(needs_lan: None, tmp_path: Path) -> None:
    """A failed lab keeps its directory if asked, a successful one does not."""
    with pytest.raises(ZeroDivisionError), Lab(1, keep=True) as failed:
        failed.laptops[0].run(["echo", "kept"])
        _ = 1 / 0
    outputs = list(failed.directory.glob("laptop0/*.out"))
    failed.directory.rename(tmp_path / "failed")
    assert [path.name for path in outputs] == ["0-echo.out"]
    with Lab(1, keep=True) as fine:
        pass
    assert not fine.directory.exists()


OWNER = """
    import sys, time
    sys.path.insert(0, sys.argv[1])
    from scripts.campaigns.lan_lab import Lab
    from scripts.campaigns.lossy_switch import Link
    with Lab(2, Link()) as lab:
        sleeper = lab.laptops[1].start(["sleep", "900"])
        print(lab.name, lab.directory, sleeper.pid, flush=True)
        time.sleep(900)
"""


@pytest.fixture
def owner(needs_lan: None) -> Iterator[subprocess.Popen[str]]:
    """Another process with an open lab."""
    command = python(OWNER, ROOT)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        yield process
        process.terminate()


def opened(owner: subprocess.Popen[str]) -> tuple[str, Path, int]:
    assert owner.stdout
    name, directory, pid = owner.stdout.readline().split()
    return name, Path(directory), int(pid)


def sweep_now() -> str:
    script = ROOT / "scripts" / "campaigns" / "lan_lab.py"
    command = [sys.executable, "-I", "-S", str(script), "sweep"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_leave_nothing(owner: subprocess.Popen[str], number: int) -> None:
    """SIGTERM and SIGINT to the owner end its lab completely, and the owner itself."""
    name, directory, pid = opened(owner)
    owner.send_signal(number)
    assert owner.wait(60) != 0
    assert (namespaces(name), alive(pid), directory.exists()) == ([], False, False)


def test_sweep_takes_dead_labs_only(lan: MakeLab, owner: subprocess.Popen[str]) -> None:
    """Sweeping removes what a killed owner left, and no lab whose owner lives."""
    name, directory, pid = opened(owner)
    living = lan(link=Link())
    assert name not in sweep_now()
    assert len(namespaces(name)) == 3
    owner.kill()
    owner.wait(60)
    assert alive(pid)
    said = sweep_now()
    assert name in said
    assert living.name not in said
    assert (namespaces(name), alive(pid), directory.exists()) == ([], False, False)
    ready(living.laptops[1], ECHO)
    assert ping(living.laptops[0], living.laptops[1].address)


def test_reason_where_no_lab_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without root or off Linux the reason says so, and opening a lab raises it."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    available.cache_clear()
    try:
        assert available() == "the LAN laboratory needs root"
        with pytest.raises(LabError, match="needs root"), Lab(1):
            pass
        monkeypatch.setattr(sys, "platform", "win32")
        available.cache_clear()
        assert available() == "the LAN laboratory needs Linux network namespaces"
    finally:
        available.cache_clear()
