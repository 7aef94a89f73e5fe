"""Translations: every catalogue complete and sound, every text marked where it can be found."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message

from racko_core.errors import N_, IllegalAction, RackoError, RecordError
from racko_tui import i18n
from racko_tui.i18n import LANGUAGES, _, install, ngettext, preferred, sentence
from racko_tui.locale.update import KEYWORDS, PACKAGES, ROOT, load, template, translated, waiting
from racko_tui.terminal import asciify

SAME = {
    "fr": {
        "Alt", "Bonus", "CODE", "Ctrl", "Duel", "Esc", "Options", "Points", "Port", "Tab", "Tables",
        "[OPTIONS]", "bonus", "code", "messages", "novice", "pause", "points", "scores", "six",
        "expert", "normal", "tables", "version", "{count} table", "{count} tables",
        "{points} points",
    },
    "da": {
        "Alt", "BOT BOT...", "Bonus", "Ctrl", "Delete", "Duel", "End", "Enter", "Esc", "Home",
        "Page Down", "Page Up", "Port", "Tab", "bonus", "bot", "bot, {level}", "pause", "solid",
        "stop", "version", "{name} (bot)",
    },
}  # fmt: skip
"""By language, the texts that read the same as in English."""


@pytest.fixture(scope="module")
def marked() -> Catalog:
    return template()


@pytest.fixture(scope="module", params=translated())
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return load(request.param)


def texts(message: Message) -> list[str]:
    string = message.string
    return list(string) if isinstance(string, (list, tuple)) else [string or ""]


def sources(message: Message) -> list[str]:
    return list(message.id) if isinstance(message.id, (list, tuple)) else [message.id]


def keys(catalogue: Catalog) -> set[tuple[str, str]]:
    return {(message.context or "", sources(message)[0]) for message in catalogue if message.id}


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def test_there_is_a_catalogue_for_every_language_but_english() -> None:
    assert sorted(translated()) == sorted(set(LANGUAGES) - {"en"})


def test_the_template_finds_every_kind_of_mark(marked: Catalog) -> None:
    found = {source for message in messages(marked) for source in sources(message)}
    assert "It is not your turn." in found  # N_ in the core
    assert "Quit" in found  # _ on a screen
    assert {"{count} round", "{count} rounds"} <= found  # ngettext
    assert "Usage:" in found  # for click
    assert any(message.context for message in messages(marked))  # pgettext


def test_every_text_is_translated(catalogue: Catalog, marked: Catalog) -> None:
    hint = "run `python -m racko_tui.locale.update`, then translate"
    assert keys(marked) - keys(catalogue) == set(), f"missing: {hint}"
    assert keys(catalogue) - keys(marked) == set(), f"gone from the program: {hint}"
    assert [message.id for message in waiting(catalogue)] == []


@pytest.mark.parametrize("language", translated())
def test_no_text_was_left_in_english(language: str) -> None:
    same = {
        source
        for message in messages(load(language))
        for source, text in zip(sources(message), texts(message), strict=True)
        if source == text and re.search("[A-Za-z]{2}", re.sub("{[^}]*}", "", source))
    }
    assert same - SAME[language] == set()


def fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def test_places_for_values_agree(catalogue: Catalog) -> None:
    for message in messages(catalogue):
        allowed = [fields(source) for source in sources(message)]
        for index, text in enumerate(texts(message)):
            if index == 0:
                assert fields(text) in allowed, text  # French says 0 and 1 alike
            else:
                assert fields(text) == allowed[1], text


def test_plural_forms_are_those_of_the_language() -> None:
    for language, alike in (("fr", (0, 1)), ("da", (1,))):
        install(language)
        one, many = ngettext("{count} round", "{count} rounds", 1), ngettext("", "", 2)
        assert many == ""
        many = ngettext("{count} round", "{count} rounds", 2)
        assert one != many
        for count in (0, 1, 2, 5, 100):
            form = ngettext("{count} round", "{count} rounds", count)
            assert form == (one if count in alike else many)
    for catalogue in map(load, translated()):
        assert all(len(texts(message)) == len(sources(message)) for message in messages(catalogue))


def test_white_space_at_the_ends_and_lines_agree(catalogue: Catalog) -> None:
    for message in messages(catalogue):
        source = sources(message)[0]
        for text in texts(message):
            assert text.count("\n") == source.count("\n"), text
            assert text[:1].isspace() == source[:1].isspace(), text
            assert text[-1:].isspace() == source[-1:].isspace(), text


def test_french_signs_keep_their_distance() -> None:
    for message in messages(load("fr")):
        for text in texts(message):
            assert not re.search(r" [;:!?»]|« |[^\W\d]\?|\w[;!]", text), text
            assert "'" not in text.replace("'{", ""), f"a straight apostrophe: {text}"


def test_every_text_can_be_spelt_in_ascii(catalogue: Catalog) -> None:
    for message in messages(catalogue):
        for text in texts(message):
            spelt = asciify.asciify(text)
            assert spelt.isascii()
            assert spelt.count("?") == text.count("?"), text


def test_every_language_has_a_glossary(catalogue: Catalog) -> None:
    for word in ("rack", "draw pile", "discard pile", "round", "run", "to go out", "in order"):
        assert f" {word} " in catalogue.header_comment


# Where texts are marked


def calls(package: str) -> Iterator[tuple[str, ast.Call]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


@pytest.mark.parametrize("package", PACKAGES)
def test_marked_texts_are_literals(package: str) -> None:
    """What is put together before it is marked is found by no extraction and no catalogue."""
    wrong = [
        place
        for place, call in calls(package)
        if name_of(call) in KEYWORDS
        for argument in call.args[:2]
        if isinstance(argument, (ast.JoinedStr, ast.BinOp))
        or (isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute))
    ]
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_sentences_of_errors_are_marked(package: str) -> None:
    """Whatever is raised with a plain sentence, full stop and all, would stay English."""
    wrong = [
        place
        for place, call in calls(package)
        if (name_of(call).endswith("Error") or name_of(call) in ("Refused", "IllegalAction"))
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and str(call.args[0].value).endswith(".")
    ]
    assert wrong == []


def test_nothing_is_translated_while_modules_are_imported() -> None:
    """The language is not known yet, and may change."""

    def early(node: ast.AST) -> Iterator[ast.Call]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                continue
            if isinstance(child, ast.Call) and name_of(child) in ("_", "ngettext", "pgettext"):
                yield child
            yield from early(child)

    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted((ROOT / "racko_tui").rglob("*.py"))
        for call in early(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert wrong == []


# The language spoken


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "da"}, "da"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "da_DK.UTF-8"}, "da"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "danish"}, "da"),
    ],
)
def test_the_environment_chooses_the_language(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert preferred() == language


def test_the_language_changes_while_the_program_runs() -> None:
    words = []
    for language in LANGUAGES:
        install(language)
        assert i18n.language() == language
        words.append(_("Quit"))
    assert words == ["Quit", "Quitter", "Afslut"]


def test_sentences_within_sentences_are_translated() -> None:
    install("da")
    inner = IllegalAction(N_("It is not your turn."))
    outer = RecordError(
        N_("In line {line} of the record “{code}” is not allowed: {reason}"),
        line=7,
        code="d",
        reason=inner,
    )
    assert sentence(outer).endswith("ikke tilladt: Det er ikke din tur.")
    assert "linje 7" in sentence(outer)


def test_an_error_nobody_translated_is_still_said() -> None:
    install("fr")
    assert sentence(RackoError("Only {count} left.", count=2)) == "Only 2 left."


def test_ascii_applies_to_whatever_is_translated() -> None:
    install("da", ascii_only=True)
    assert _("The draw pile is empty; take the discard.").isascii()
    install("fr")
    assert _("Settings") == "Reglages"
    install("fr", ascii_only=False)
    assert _("Settings") == "Réglages"


def test_folders_of_languages_are_packages_of_nothing() -> None:
    assert not list(Path(i18n.FOLDER).glob("*/**/*.py"))


async def test_two_people_are_spoken_to_apart_each_in_all_their_tasks() -> None:
    async def person(language: str) -> list[str]:
        i18n.speak_apart("da")
        assert i18n.preferred() == i18n.language() == "da"
        listening = asyncio.Event()

        async def listen() -> str:
            await listening.wait()
            return i18n._("Settings")

        task = asyncio.create_task(listen())
        await asyncio.sleep(0)
        i18n.install(language)
        await asyncio.sleep(0)
        listening.set()
        return [await task, i18n._("Settings"), i18n.language()]

    heard = await asyncio.gather(
        asyncio.create_task(person("fr")), asyncio.create_task(person("da"))
    )
    assert [each[2] for each in heard] == ["fr", "da"]
    assert heard[0][0] == heard[0][1] != heard[1][1] == heard[1][0]
    assert i18n.language() == "en"


@pytest.mark.parametrize(("language", "told"), [("en", "0.2 s"), ("fr", "0,2 s"), ("da", "0,2 s")])
def test_numbers_in_a_sentence_follow_its_language(language: str, told: str) -> None:
    install(language)
    late = RackoError(
        "“{program}” did not answer within {seconds} s.",
        program="bot.py",
        seconds=0.2,
    )
    assert told in sentence(late)
    assert "0.2 s" in str(late)
    assert " 5 s" in sentence(RackoError(late.template, program="bot.py", seconds=5.0))
