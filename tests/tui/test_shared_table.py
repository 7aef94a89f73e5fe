"""A table with others at it: talk, who is here, rounds that go on, and what watchers see."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from textual import events

from racko_core import actions as act
from racko_core.rules import Rules
from racko_core.seating import (
    Chair,
    Configure,
    HandOver,
    Kind,
    Lose,
    Options,
    Pause,
    Say,
    Setup,
    Sit,
    Stage,
    Stand,
    Start,
    TableInfo,
)
from racko_core.table import Refused, Table
from racko_net.client import RemoteSession
from racko_net.serverside.authority import allowed
from racko_tui import i18n
from racko_tui.lan.joining import Join
from racko_tui.lan.table_drafts import TableDraft
from racko_tui.local.drafts import FRIEND, YOU
from racko_tui.local.games import GamesError
from racko_tui.screens.analysis import AnalysisScreen
from racko_tui.table.company import FRESH
from racko_tui.table.decision import Held
from racko_tui.table.presence import holding, options_in_words, presence, state_of
from racko_tui.table.talk import PHRASES, in_words
from racko_tui.tutor import Tutor
from racko_tui.widgets.rack import Rack
from tests.core.coach.guessing import Guess
from tests.tui.served import RULES, Party, party
from tests.tui.steering import press, shown

SHORT = Rules(players=2, max_rounds=2, stalemate_turnovers=1)


async def playing(
    party: Party, rules: Rules = RULES, options: Options | None = None, *, watch: bool = False
) -> RemoteSession:
    """Bo's table, where a game with Ana (or with Cy, while Ana watches) has begun."""
    bo = await party.friend()
    session = await bo.create(rules, options or Options(bot_pause=0.0))
    await party.see(session.code)
    if watch:
        await (await party.friend("Cy")).join(session.code)
        await party.press("w")
    else:
        await party.press("enter")
    await party.see("Bo starts the game")
    await session.ask(Start())
    await party.see("round 1")
    return session


def later(party: Party, seconds: float) -> None:
    """Let time fly at the server's tables."""
    party.server._zero += seconds
    party.server._ring()


async def turn_of(party: Party, session: RemoteSession, seat: int) -> None:
    """Let Bo draw and discard until it is somebody else's turn."""

    await party.until(lambda: session.view(0).round > 0, "a deal")  # type: ignore[union-attr]
    if session.view(0).turn == 0 != seat:  # type: ignore[union-attr]
        await session.act(act.DRAW)
        await session.act(act.DISCARD)
    await party.until(lambda: session.view(0).turn == seat, f"the turn of {seat}")  # type: ignore[union-attr]


async def play_to_the_end(ana: Party, session: RemoteSession) -> None:
    """Play the game, all cards drawn and discarded."""
    table = ana.server.lobby.rooms[session.code].table
    while table.stage is not Stage.FINISHED:
        view = session.view(0)
        assert view is not None
        text = shown(ana.app)
        if "scorecard" in text or "go on" in text or "end of the game" in text:
            await session.ready()
            await ana.press("enter")
        elif view.turn == 0 and view.legal and "deal" not in str(view.phase):
            await session.act(act.DRAW if act.DRAW in view.legal else act.DISCARD)
        elif "Your turn: draw" in text:
            await ana.press("d", "x")
        else:
            await ana.pilot.pause()


async def test_what_is_said_is_held_above_the_log_and_kept_in_it(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await session.ask(Say(0, "", "Your [bold]turn[/]"))
        await ana.see("Bo: Your [bold]turn[/]")
        await ana.press("c", "2")
        await ana.see("Ana: Well played!")
        assert ana.app.screen.focused is None
        assert shown(ana.app).count("Bo: Your [bold]turn[/]") == 1
        ana.app.online.company._said_at -= FRESH  # type: ignore[union-attr]
        ana.app.screen.paint()  # type: ignore[attr-defined]
        await ana.pilot.pause()
        assert shown(ana.app).count("Bo: Your [bold]turn[/]") == 1, "in the log by now"


async def test_hints_are_there_only_where_nobody_plays_on_another_screen(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        ana.app.tutor = Tutor(Guess)
        session = await playing(ana)
        await turn_of(ana, session, 1)
        await ana.see("your turn")
        assert "hint" not in shown(ana.app)
        await ana.press("h")
        await ana.see("No hints here: people play against each other at this table.")
        await session.ask(Stand(0))
        await ana.see("a bot plays on")
        await ana.press("h")
        await ana.see("Hint: ")
        (room,) = ana.server.lobby.rooms.values()
        assert [chair.hints for chair in room.table.chairs] == [0, 1]


async def test_what_is_typed_in_a_burst_never_reaches_the_table(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await turn_of(ana, session, 1)
        await ana.see("your turn")
        for key in "cdxqg":
            ana.app.post_message(events.Key(key, key))
        ana.app.post_message(events.Key("enter", "\r"))
        await ana.see("Ana: dxqg")
        assert (
            session.view(0).draw_count
            == ana.server.lobby.rooms[  # type: ignore[union-attr]
                session.code
            ]
            .table.view(0)
            .draw_count
        )
        await ana.see("Your turn: draw")


async def test_escape_says_nothing(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await playing(ana)
        await ana.press("c", *"never mind", "escape")
        await ana.gone("never mind")
        await ana.press("c")
        await ana.see("say something")


async def test_who_is_away_is_counted_down_until_a_bot_plays(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana, options=Options(bot_pause=0.0, grace=60.0))
        await ana.friends[0].close()
        await ana.see("Bo is away; a bot takes over in ")
        later(ana, 60.0)
        await ana.see("A bot plays for Bo until they come back.")
        assert session.link.closed


async def test_the_people_screen_pauses_and_hands_over(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await ana.press("m")
        await ana.see("Bo", "runs the table")
        await ana.press("p")
        await ana.see("Only the owner of the table may do that.")
        await ana.press("escape")
        await session.ask(HandOver(1))
        await ana.see("You run the table now.")
        await ana.press("m", "p")
        await ana.until(lambda: session.info.paused, "paused")
        await ana.press("escape")
        await ana.see("The table is paused")
        await ana.press("m", "p", "escape")
        await ana.gone("The table is paused;")


async def test_whoever_let_the_clock_run_out_twice_is_back_at_any_key(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana, options=Options(bot_pause=0.0, turn_limit=5.0, grace=20.0))
        for _ in range(2):
            await turn_of(ana, session, 1)
            later(ana, 5.0)
        await ana.see("You count as away; press any key to be back.")
        await ana.press("down")
        await ana.gone("You count as away")
        assert not session.info.chairs[1].away
        later(ana, 0.0)
        for _ in range(2):
            await turn_of(ana, session, 1)
            later(ana, 5.0)
        later(ana, 20.0)
        await ana.see("A bot plays for you; press any key to play on yourself.")
        await ana.press("down")
        await ana.gone("A bot plays for you;")


async def test_nobody_is_sent_away_without_a_question(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await session.ask(HandOver(1))
        await ana.press("m", "x")
        await ana.see("Ask Bo to leave?")
        await ana.press("n")
        await ana.gone("Ask Bo to leave?")
        assert not session.link.closed
        await ana.press("x", "y")
        await ana.until(lambda: session.link.closed, "Bo to be sent away")


async def test_a_bot_is_not_asked_to_leave(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await session.ask(HandOver(1))
        await ana.press("m")
        await ana.see("ask to leave", "hand over")
        await session.ask(Stand(0))
        await ana.gone("ask to leave")
        await ana.press("x")
        await ana.see("A bot stays at the table once the first game has begun.")


async def test_what_spectators_may_do_is_asked(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await session.ask(HandOver(1))
        for key, options in (("n", (False, False)), ("r", (True, True)), ("w", (True, False))):
            await ana.press("m", "w")
            await ana.see("See every rack")
            await ana.press(key, "escape")
            await ana.until(
                lambda options=options: (  # type: ignore[misc]
                    (session.info.options.spectators, session.info.options.open_racks) == options
                ),
                "other options",
            )


async def test_racks_that_are_opened_to_watchers_are_announced(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await session.ask(Configure(options=Options(bot_pause=0.0, open_racks=True)))
        await ana.see("Spectators see every rack from the next deal on.")
        await session.ask(Configure(options=Options(bot_pause=0.0)))
        await ana.see("Spectators see the racks no longer.")


async def test_who_comes_to_a_table_reads_that_racks_are_open_to_watchers(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await playing(ana, options=Options(bot_pause=0.0, open_racks=True))
        await ana.see("Spectators see every rack.")


@pytest.mark.parametrize("opened", [False, True])
async def test_a_watcher_sees_racks_only_where_they_are_open(tmp_path: Path, opened: bool) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana, options=Options(bot_pause=0.0, open_racks=opened), watch=True)
        await ana.until(lambda: session.view(0).round > 0, "a deal")  # type: ignore[union-attr]
        await ana.see("50 ")
        await ana.see("Round 1")
        rack = session.view(0).rack  # type: ignore[union-attr]
        state = ana.app.screen.query_one("#rack-0", Rack).state
        assert state is not None
        assert tuple(state.cards) == (rack if opened else (None,) * 10)
        assert "You are watching." in shown(ana.app)
        await ana.press("d")
        await ana.see("You are watching; only the players can do that.")
        await ana.press("m")
        await ana.see("You are watching. A bot plays for")
        await (await ana.friend("Di")).watch(session.code)
        await ana.press("escape", "m")
        await ana.see("You are watching, and 1 other.")


async def test_whoever_plays_can_see_how_many_watch(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await ana.press("m")
        await ana.see("here", "A bot plays for whoever")
        assert "watches" not in shown(ana.app)
        await (await ana.friend("Di")).watch(session.code)
        await ana.press("escape", "m")
        await ana.see("1 person watches.")


async def test_a_round_that_the_others_begin_closes_the_end_of_the_last(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        options = Options(bot_pause=0.0, deal_after=60.0)
        session = await playing(ana, Rules(players=2, stalemate_turnovers=1), options)

        async def play_round() -> None:
            while True:
                view = session.view(0)
                assert view is not None
                if view.sheet:
                    return
                if view.turn == 0 and view.legal:
                    await session.act(act.DRAW if act.DRAW in view.legal else act.DISCARD)
                elif view.turn == 1 and "Your turn: draw" in shown(ana.app):
                    await ana.press("d", "x")
                else:
                    await ana.pilot.pause()

        await play_round()
        await ana.see("scorecard")  # Ana does not go on
        later(ana, 60.0)
        await ana.see("round 2")


async def test_home_after_a_game_gives_the_seat_up(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana, SHORT)
        table = ana.server.lobby.rooms[session.code].table
        await play_to_the_end(ana, session)
        await ana.see("the end of the game")
        await ana.press("enter")
        await ana.see("Rematch")
        await ana.press("q")
        await ana.see("Living room")
        assert table.chairs[1].kind is Kind.BOT


async def test_a_game_on_a_server_can_be_analysed_by_what_was_seen_of_it(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        ana.app.tutor = Tutor(Guess, shared=lambda: True)
        session = await playing(ana, SHORT)
        await play_to_the_end(ana, session)
        await ana.see("the end of the game")
        await ana.press("enter")
        await ana.see("Rematch")
        await ana.press("a")
        await ana.see("accuracy", "slips: ")
        assert isinstance(ana.app.screen, AnalysisScreen)
        assert ana.app.screen.walk is not None
        assert [part.number for part in ana.app.screen.walk.analysis.rounds] == [1, 2]
        assert ana.app.screen.walk.seat == 1
        await ana.press("escape")
        await ana.see("Rematch")


async def test_ctrl_c_at_a_table_asks_first(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        await playing(ana)
        await ana.press("ctrl+c")
        await ana.see("Leave this table?")
        await ana.press("escape")
        await ana.gone("Leave this table?")
        await ana.press("ctrl+c")
        await ana.see("Leave this table?")
        await ana.press("y")
        await ana.until(lambda: ana.app._exit, "the end")


async def test_a_turn_with_a_clock_shows_it_and_ends_with_it(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana, options=Options(bot_pause=0.0, turn_limit=5.0))
        await ana.see("0:0")
        assert session.info.turn_ends is not None
        later(ana, 6.0)
        await ana.see("ran out of time")


# Words


def info(*chairs: Chair, **changes: object) -> TableInfo:
    values: dict[str, object] = {
        "name": "",
        "stage": Stage.PLAYING,
        "rules": Rules(),
        "options": Options(grace=60.0),
        "chairs": chairs,
        "owner": 0,
        "paused": False,
        "game": 1,
        "turn_ends": None,
    }
    return TableInfo(**{**values, **changes})  # type: ignore[arg-type]


ANA = Chair(Kind.HUMAN, "Ana")


@pytest.mark.parametrize(
    ("chair", "grace", "words"),
    [
        (Chair(Kind.HUMAN, "Bo"), 60.0, "here"),
        (Chair(Kind.BOT, "Bo", "novice"), 60.0, "bot, novice"),
        (Chair(), 60.0, "open"),
        (Chair(Kind.HUMAN, "Bo", away_since=100.0), 60.0, "away, a bot in 0:50"),
        (Chair(Kind.HUMAN, "Bo", away_since=100.0), None, "away"),
        (Chair(Kind.HUMAN, "Bo", away_since=1.0, relieved=True), 60.0, "away, a bot plays"),
    ],
)
def test_how_somebody_is_doing(chair: Chair, grace: float | None, words: str) -> None:
    assert state_of(chair, info(ANA, chair, options=Options(grace=grace)), 110.0) == words


def test_nobody_is_relieved_while_the_table_is_paused() -> None:
    away = Chair(Kind.HUMAN, "Bo", away_since=100.0)
    assert state_of(away, info(ANA, away, paused=True), 110.0) == "away"


def test_nothing_is_said_of_people_who_are_here() -> None:
    assert presence(info(ANA, Chair(Kind.HUMAN, "Bo")), None, 0, 0.0) == []


def test_the_absent_are_told() -> None:
    away = Chair(Kind.HUMAN, "Bo", away_since=100.0)
    told = presence(info(ANA, away), None, 0, 115.0)
    assert [text for text, _style in told] == ["Bo is away; a bot takes over in 0:45."]
    told = presence(info(ANA, away, paused=True), None, 0, 115.0)
    assert [text for text, _style in told] == ["Bo is away."]
    told = presence(info(ANA, away), None, 1, 115.0)
    assert [text for text, _style in told] == ["You count as away; press any key to be back."]
    relieved = Chair(Kind.HUMAN, "Bo", away_since=100.0, relieved=True)
    told = presence(info(ANA, relieved), None, 1, 115.0)
    assert [text for text, _style in told] == [
        "A bot plays for you; press any key to play on yourself."
    ]


@pytest.mark.parametrize(
    ("me", "owner_away", "words"),
    [
        (0, False, "The table is paused; you let it go on under “people”."),
        (1, False, "The table is paused; whoever runs it lets it go on."),
        (
            1,
            True,
            "The table is paused, and whoever runs it is away;"
            " you may let it go on under “people”.",
        ),
        (None, False, "The table is paused; whoever runs it lets it go on."),
        (
            None,
            True,
            "The table is paused, and whoever runs it is away; whoever plays may let it go on.",
        ),
    ],
)
def test_a_pause_says_who_ends_it_and_they_can(
    me: int | None, owner_away: bool, words: str
) -> None:
    table = Table(Setup(RULES, bytes(32)))
    for given in (Sit(0, "Ana"), Sit(1, "Bo"), Start(), Pause(True)):
        table.apply(given, 1.0)
    if owner_away:
        table.apply(Lose(0), 2.0)
    assert holding(Held.PAUSED, table.info, me) == words
    may = me is not None and "go on under" in words
    assert table.info.may_pause(me) == may
    if me is not None:
        with nullcontext() if may else pytest.raises(Refused):
            allowed(Pause(False), me, table)


async def test_a_pause_takes_the_turn_away_until_it_ends(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await turn_of(ana, session, 1)
        await ana.see("Your turn: draw a card", "d draw")
        await session.ask(Pause(True))
        await ana.see("The table is paused; whoever runs it")
        for gone in ("Your turn", "d draw", "t take"):
            assert gone not in shown(ana.app)
        await ana.press("d")
        await ana.see("Nothing can be done while the table is paused.")
        await ana.press("c", *"hello", "enter")
        await ana.see("Ana: hello")
        await session.ask(Pause(False))
        await ana.see("Your turn: draw a card", "d draw")


async def test_a_lost_line_takes_the_turn_away_and_loses_no_words(tmp_path: Path) -> None:
    async with party(tmp_path) as ana:
        session = await playing(ana)
        await turn_of(ana, session, 1)
        await ana.press("t", "5")
        await ana.see("place")
        await ana.server.stop()
        await ana.see("not connected", "Trying to come back, again and again")
        for gone in ("Your turn", "⏎ place", "put back", "hint", "c chat"):
            assert gone not in shown(ana.app)
        await ana.press("enter")
        await ana.see("Nothing can be done until the connection is back.")
        await ana.press("c", *"hello", "enter")
        await ana.see("Not said; c brings your words back.")
        await ana.press("c")
        await ana.see("hello")
        await ana.press("escape", "m")
        await ana.see("Esc back")
        assert "ask to leave" not in shown(ana.app)


def test_how_a_table_is_run_is_told_in_sentences() -> None:
    assert options_in_words(Options(turn_limit=30.0, grace=None, spectators=False)) == [
        "A turn takes 30 seconds at most; then a card is drawn and discarded.",
        "Whoever goes away is waited for.",
        "Nobody may watch.",
    ]


def test_phrases_are_read_in_the_readers_language() -> None:
    i18n.install("fr")
    assert in_words("a phrase of my own") == "a phrase of my own"
    assert len(PHRASES) == 9
    assert all(len(phrase) <= 40 for phrase in PHRASES)


# Plans


def test_a_new_table_has_chairs_for_friends() -> None:
    draft = TableDraft.beginning({}, 0.9)
    plan = draft.plan()
    assert plan.seat == 0
    assert plan.bots == ()
    assert [place.kind for place in draft.places] == [YOU, FRIEND, FRIEND, FRIEND]


def test_bots_are_planned_with_names_that_differ() -> None:
    draft = TableDraft.beginning({}, 0.9)
    draft.players = 4
    for place in draft.places[1:]:
        place.kind, place.name, place.spare = "solid", "", "Wren"
    names = [sit.name for sit in draft.plan().bots]
    assert len(set(names)) == 3


@pytest.mark.parametrize("kinds", [(FRIEND, FRIEND), (YOU, YOU)])
def test_one_chair_is_ones_own(kinds: tuple[str, str]) -> None:
    draft = TableDraft.beginning({}, 0.9)
    for place, kind in zip(draft.places, kinds, strict=False):
        place.kind = kind
    with pytest.raises(GamesError, match="Sit on one chair yourself"):
        draft.plan()


async def test_a_game_that_is_watched_by_wish_begins_at_the_table(tmp_path: Path) -> None:
    def wish(address: str) -> Join:
        return Join(address, "Di", watch=True)

    async with party(tmp_path, wish=wish) as di:
        session = await (await di.friend()).create(RULES)
        await di.see(session.code, "⏎ watch")
        await press(di.pilot, "enter")
        await di.see("Bo starts the game")
        assert len(di.server.lobby.rooms[session.code].watchers) == 1
