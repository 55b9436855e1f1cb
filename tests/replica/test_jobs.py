"""Long work done apart from the replica: later, elsewhere, and to the same end."""

from __future__ import annotations

import pytest

from lanplay_protocol.crypto.errors import BadProof
from lanplay_protocol.errors import Code
from lanplay_protocol.replica import inputs
from lanplay_protocol.replica.jobs import Job, JobQueue
from lanplay_protocol.replica.shuffling import MixPiles, ShufflePiles
from tests.replica.harness import Table, parts, roster

REAL_CRYPTO = True

SHUFFLER = 1


def refuse(text):
    raise BadProof(text)


def played(**options):
    table = Table(roster(3), seed=b"labour", **options)
    table.start()
    table.run()
    return table


@pytest.mark.longer_games
def test_a_game_with_work_done_apart_takes_the_same_course():
    """Whenever the long work is done, and whatever comes meanwhile, the transcript is the same."""
    offload = played(offload=True)
    assert offload.is_over()
    assert [offload.trace(peer) for peer in range(3)] == [played().trace(0)] * 3
    assert any(isinstance(p, MixPiles) for r in offload.replicas for p in r.phases.values())


def test_nothing_is_said_before_its_work_is_done():
    """A peer whose turn it is to shuffle sends its piles once they are made, not before."""
    table = Table(roster(3), seed=b"turn", offload=True)
    table.start()
    table.run(lambda t: isinstance(t.replicas[0].transcript.phase, ShufflePiles))
    replica = table.replicas[0]
    assert replica.jobs.next is not None
    while (job := replica.jobs.next) is not None:
        assert replica.transcript.missing == {0}
        replica.step(inputs.JobDone(job, job.run()), table.now)
    assert replica.transcript.missing == {1}


def test_a_false_proof_that_was_checked_apart_names_its_author():
    """DT-1.1: everybody accuses the shuffler whose piles the work has shown to be false."""
    table = Table(roster(3), seed=b"false", offload=True)

    def tamper(table, to, move):
        if not isinstance(table.replicas[SHUFFLER].phases[move.phase], ShufflePiles):
            return None
        (deck, proof), *others = move.parts
        return [parts(move, ((deck, bytes(len(proof))), *others))]

    table.tampers[SHUFFLER] = tamper
    table.start()
    table.run(lambda t: all(t.accused(peer) for peer in (0, 2)))
    assert [table.accused(peer) for peer in (0, 2)] == [{(SHUFFLER, Code.BAD_PROOF)}] * 2


def test_a_program_that_ends_while_it_works_goes_on_from_its_disk():
    """What a job for the program before it came to is of no use to the new one, and no harm."""
    table = Table(roster(3), seed=b"ends", offload=True)
    table.start()
    table.run(lambda t: t.replicas[SHUFFLER].jobs.next is not None)
    job = table.replicas[SHUFFLER].jobs.next
    table.kill(SHUFFLER)
    table.restart(SHUFFLER)
    table.step(SHUFFLER, inputs.JobDone(job, job.run()))
    table.run()
    assert table.is_over()


def test_what_is_wrong_is_raised_where_the_result_is_needed():
    """A job that fails is done all the same: its error waits as its result would."""
    jobs = JobQueue()
    jobs.offload = True
    job = Job(refuse, ("false",))
    assert jobs.pending([job])
    jobs.finish(job, job.run())
    assert jobs.next is None
    assert not jobs.pending([job])
    with pytest.raises(BadProof, match="false"):
        jobs.result(job)


def test_without_a_shell_that_works_nothing_waits():
    """A replica alone does every job in the moment in which it needs it."""
    jobs = JobQueue()
    job = Job(max, (2, 3))
    assert not jobs.pending([job])
    assert jobs.next is None
    assert jobs.result(job) == 3
