"""The arena on a Dask cluster: the same standing as here, and what is wrong in one sentence."""

from __future__ import annotations

import gc
import logging
import socket
from collections.abc import Iterator
from weakref import WeakSet

import pytest
from distributed import Client, LocalCluster

from racko_core.arena import ArenaError, Contest, Tally, cluster, play
from racko_core.errors import RackoError
from racko_core.rules import Rules
from tests.core.arena.entrants import entrant


def running(workers: int) -> LocalCluster:
    """A cluster of so many processes."""
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a cluster with two workers."""
    with running(workers=2) as two:
        yield two.scheduler_address


def contest(*names: str, count: int = 300) -> Contest:
    return Contest.of(names, Rules(), count=count, seed="cluster", recorded=True)


def test_a_cluster_has_the_same_outcome(address: str) -> None:
    given = contest("novice", "crowd")
    there, here = Tally(given), Tally(given)
    reports = list(cluster.play(given, entrant, address))
    for report in reports:
        there.add(report)
    for report in play(given, entrant):
        here.add(report)
    assert len(reports) > 2
    assert there.standing().complete
    for theirs, ours in zip(there.standing().rows, here.standing().rows, strict=True):
        assert theirs.share_of_rounds == ours.share_of_rounds
        assert theirs.margin == ours.margin
        assert theirs.elo == ours.elo
        assert theirs.effort.decisions == ours.effort.decisions
    assert all(outcome.records for report in reports for outcome in report.outcomes)


def test_play_can_be_stopped(address: str) -> None:
    reports = cluster.play(contest("novice", "crowd", count=100_000), entrant, address)
    assert next(reports).outcomes
    reports.close()


def test_what_keeps_a_bot_from_being_made_is_told(address: str) -> None:
    with pytest.raises(RackoError, match="There is no bot called “missing”"):
        list(cluster.play(contest("novice", "missing"), entrant, address))


def test_a_cluster_with_another_version_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "__version__", "0.0.0")
    with pytest.raises(RackoError, match=r"and here is 0\.0\.0; install"):
        list(cluster.play(contest("novice", "crowd"), entrant, address))


def test_a_scheduler_that_goes_is_told_of() -> None:
    with running(workers=1) as cluster_of_its_own:
        given = contest("novice", "crowd", count=100_000)
        reports = cluster.play(given, entrant, cluster_of_its_own.scheduler_address)
        next(reports)
    with pytest.raises(ArenaError, match="was lost"):
        list(reports)


@pytest.mark.parametrize("address", ["nonsense", "there://is:1"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ArenaError, match=f"no Dask scheduler at “{address}”"):
        list(cluster.play(contest("novice", "crowd"), entrant, address))


def clients() -> list[Client]:
    return [each for each in gc.get_objects() if type(each) is Client]


@pytest.mark.parametrize("address", ["there://is:1", "127.0.0.1:1"])
def test_nothing_is_left_of_a_client_that_could_not_connect(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It would hold a lock of Dask's while it is collected, and keep the next loop from starting.
    monkeypatch.setattr(cluster, "_PATIENCE", 0.2)
    earlier = WeakSet(clients())  # of other tests, which something else may hold for a while
    with pytest.raises(ArenaError):
        list(cluster.play(contest("novice", "crowd"), entrant, address))
    assert not [client for client in clients() if client not in earlier]


def test_a_scheduler_that_is_not_there_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ArenaError, match=f"no Dask scheduler at “127.0.0.1:{port}”"):
        list(cluster.play(contest("novice", "crowd"), entrant, f"127.0.0.1:{port}"))


def test_a_cluster_without_workers_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 0.5)
    with running(workers=0) as empty, pytest.raises(ArenaError, match="has no workers"):
        list(cluster.play(contest("novice", "crowd"), entrant, empty.scheduler_address))
