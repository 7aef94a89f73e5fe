"""A rack as one looks along it: the back slot on top, every card's number where its value says.

A rack in order draws one line that rises from the lower left to the upper right. Where there is
no room for that, as for opponents at a full table, the cards stand below one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.geometry import Region
from textual.message import Message

from racko_core.rules import SLOTS, Card, Slot, label
from racko_tui.widgets.picture import Line, Picture, Span, width_of

_FRAME: Final = 2
_ROOM_FOR_VALUES: Final = 26
"""Cells inside the frame from which on numbers stand where their value says."""
_ROOM_FOR_LARGE: Final = 34
"""The same for the large tabs of racks with three lines a slot."""
_ROOMY: Final = 10
"""The same from which on labels have space around them."""
_ROOM_FOR_JOINTS: Final = 16
"""The same from which a piece of the rim stands before the name."""
_DOTS: Final = 4
"""Cells from one dot to the next."""
_BLANK: Final = (None,) * SLOTS


@dataclass(frozen=True, slots=True)
class RackState:
    """What a rack shows. Tuples are by slot, slot 1 first."""

    name: str = ""
    points: str = ""
    notes: Line | None = None
    """What stands in the lower rim."""
    cards: Sequence[Card | None] = _BLANK
    """None for a card whose back is to be seen."""
    highest: Card = 60
    """The highest card of the deck."""
    mine: bool = False
    """Whether it is the player's own: it has the marks, and slots can be chosen."""
    turn: bool = False
    """Whether it is this player's turn."""
    partner: bool = False
    slot: Slot | None = None
    """The chosen slot."""
    coming: Card | None = None
    """The card that would go there."""
    keys: bool = False
    """Whether to show the digit that chooses a slot."""
    hint: Slot | None = None
    """The slot that a hint means for the card that could come."""
    landing: Slot | None = None
    """The slot whose card is still on its way."""
    last: Slot | None = None
    """The slot that was changed last."""
    scoring: frozenset[Slot] = frozenset()
    breaks: frozenset[Slot] = frozenset()
    """The slots to mark as wrong."""
    run: frozenset[Slot] = frozenset()
    brief: Line | None = None
    """The notes in fewer cells, for where there is not room for all of them."""


class Rack(Picture):
    """One rack in its frame."""

    @dataclass
    class Picked(Message):
        """A slot was clicked."""

        slot: Slot
        again: bool
        """Whether it was one click of its own, not the second half of a double click."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.state = RackState()
        self._wide = self._high = 0  # the size in cells; to ask for it is slow

    def show(self, state: RackState) -> None:
        """Show this from now on."""
        if state != self.state:
            self.state = state
            self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Say which slot was clicked."""
        self._measure()
        row = (event.y - 1) // self._lines_per_slot
        if self.state.mine and 0 <= row < SLOTS:
            self.post_message(self.Picked(SLOTS - row, event.chain == 1))

    def where(self, slot: Slot, card: Card | None) -> Region:
        """Where on the screen a card stands, or would stand, in a slot."""
        self._measure()
        high = self._lines_per_slot
        y = 1 + (SLOTS - slot) * high + (1 if high > 2 else 0)
        gutter, track, _ = self._columns
        wide = self._tab
        x = self._x(card, track) if card is not None and self._by_value else 0
        return Region(self.region.x + 1 + gutter + x, self.region.y + y, wide, 1)

    # Drawing

    def _measure(self) -> None:
        self._wide, self._high = self.size

    @property
    def _lines_per_slot(self) -> int:
        return max(1, (self._high - _FRAME) // SLOTS)

    @property
    def _by_value(self) -> bool:
        return self.state.mine or self._wide - _FRAME >= _ROOM_FOR_VALUES

    @property
    def _large(self) -> bool:
        return self._lines_per_slot > 2 and self._wide - _FRAME >= _ROOM_FOR_LARGE

    @property
    def _tab(self) -> int:
        """Cells of a card."""
        return 6 if self._large else 4

    @property
    def _columns(self) -> tuple[int, int, int]:
        """Cells for the labels, for the cards, and for the marks."""
        inner = max(0, self._wide - _FRAME)
        if self.state.mine:
            gutter, marks = 6, 5
        else:
            gutter, marks = (4, 2) if inner >= _ROOMY else (2, 1)
        return gutter, max(self._tab, inner - gutter - marks), marks

    def _x(self, card: Card, track: int) -> int:
        return round((card - 1) * (track - self._tab) / (self.state.highest - 1))

    def draw(self, width: int, height: int) -> list[Line]:  # noqa: D102
        self._wide, self._high = width, height
        high = self._lines_per_slot
        lines = [self._rim(top=True, width=width)]
        for slot in range(SLOTS, 0, -1):
            lines += [self._row(slot, part) for part in range(high)]
        lines.append(self._rim(top=False, width=width))
        return lines

    @property
    def _rim_style(self) -> str:
        if self.state.turn:
            return "accent"
        return "partner-line" if self.state.partner else "line"

    @property
    def _space(self) -> str:
        """What stands around words in the rim."""
        return " " if self._wide - _FRAME >= _ROOMY else ""

    def _rim(self, *, top: bool, width: int) -> Line:
        line, style = self.glyphs.rule, self._rim_style
        joint = line if width - _FRAME >= _ROOM_FOR_JOINTS else ""
        room = width - _FRAME - 2 * len(joint)
        space = self._space
        if top:
            words = self._title(room)
            points = f" {self.state.points}{space}" if self.state.points else ""
            fill = self._stretch(room - width_of(words) - cell_len(points))
            parts: Line = [*words, (fill, style), (points, "strong")]
            return [(" " + joint, style), *parts, (joint, style)]
        notes: Line = []
        if self.state.notes:
            fit = width_of(self.state.notes) + 2 * len(space) <= room
            chosen = self.state.notes if fit else self.state.brief or self.state.notes
            blank = (space, "text")
            shown = [(text if space else text.strip(), name) for text, name in chosen]
            notes = [blank, *shown, blank]
            while width_of(notes) > room and len(notes) > 4:
                notes = [*notes[:-3], blank]  # the last mark and what it means
            if not space and width_of(notes) > room:
                room += 1  # the next rack begins with a space
            notes = _cut(notes, room)
        fill = self._stretch(room - width_of(notes))
        return [(" " + joint, style), *notes, (fill + joint, style)]

    def _stretch(self, cells: int) -> str:
        """The line beside a word; it does not touch a word that has no space around it."""
        line = self.glyphs.rule * cells
        return line if self._space else " " * (cells > 0) + line[1:]

    def _title(self, room: int) -> Line:
        space = self._space
        marker = f"{self.glyphs.cursor}{space}" if self.state.turn else ""
        room -= cell_len(self.state.points) + 1 + 3 * len(space) + len(marker)
        name, after = self.state.name, space
        if cell_len(name) > room:
            room, after = room + len(space), ""  # the points have a space of their own before them
        if cell_len(name) > room:
            name = set_cell_size(name, max(1, room))
        return [(f"{space}{marker}{name}{after}", "accent" if self.state.turn else "strong")]

    def _row(self, slot: Slot, part: int) -> Line:
        """One line of a slot: `part` counts its lines from the top."""
        high = self._lines_per_slot
        gutter, track, marks = self._columns
        face_line = 1 if high > 2 else 0
        edge = part == min(face_line + 1, high - 1)
        if part == face_line:
            left, right = self._gutter(slot), self._marks(slot, marks)
        else:
            left, right = [(" " * (1 + gutter), "text")], [(" " * marks, "text")]
        if part == face_line:
            middle = self._lay(slot, track, edge=edge, rim=False)
            if not self._by_value:
                right = [*right, (" " * (track - self._tab), "text")]
        elif part < face_line and self._large:
            middle = self._lay(slot, track, edge=False, rim=True)
        else:
            middle = [((self.glyphs.edge if edge else " ") * track, "line")]
        return [*left, *middle, *right]

    def _gutter(self, slot: Slot) -> Line:
        """The label; for one's own rack also the cursor and, while a slot is to be chosen, its key.

        All of it in one style, and that of the ground beside it: every change of style costs more
        bytes than a row of text, and a step of the cursor has to be quick on a slow line.
        """
        state, glyphs = self.state, self.glyphs
        number = f"{label(slot):>2}"
        if not state.mine:
            space = " " if self._columns[0] > 2 else ""
            return [(f" {space}{number}{space}", "quiet")]
        cursor = glyphs.cursor if slot == state.slot else " "
        key = f"{slot % SLOTS}" if state.keys else " "
        hint = glyphs.hint if slot == state.hint else " "
        lit = slot in (state.slot, state.hint)
        return [(f" {cursor}{key}{hint}{number} ", "accent" if lit else "quiet")]

    def _marks(self, slot: Slot, width: int) -> Line:
        state, glyphs = self.state, self.glyphs
        if not state.mine:
            return [
                (glyphs.last if slot == state.last else " ", "accent"),
                (" " * (width - 1), "text"),
            ]
        run = glyphs.run if slot in state.run else " "
        wrong = glyphs.breaks if slot in state.breaks else " "
        scores = glyphs.scores if slot in state.scoring else " "
        return [(f" {run}", "strong"), (wrong, "warning"), (f"{scores} ", "strong")]

    def _edge(self, slot: Slot, track: int) -> Line:
        """A row of dots below one another in every slot, to compare places by, and a tick where
        the number would stand in a rack whose cards are spread evenly.
        """
        dots = (self.glyphs.dot + " " * (_DOTS - 1)) * (track // _DOTS + 1)
        even = (slot - 1) * self.state.highest // SLOTS + self.state.highest // (2 * SLOTS)
        x = self._x(even, track) + self._tab // 2
        return [(dots[:x] + self.glyphs.tick + dots[x + 1 : track], "quiet")]

    def _lay(self, slot: Slot, track: int, *, edge: bool, rim: bool) -> Line:
        """The cards of a slot on their line: the faces, or the rims above them."""
        state = self.state
        landing = slot == state.landing
        card = None if landing else state.cards[slot - 1]
        coming = state.coming if slot in (state.slot, state.hint) else None
        if not self._by_value:
            if landing:
                return [(" " * self._tab, "text")]
            return self._card(slot, card, leaving=False)
        if card is None and not (rim or landing):
            ground: Line = [(self.glyphs.back * track, "edge-back")]
        elif edge:
            ground = self._edge(slot, track)
        else:
            ground = [(" " * track, "text")]
        places: list[tuple[int, Line]] = []
        if card is not None:
            line = self._rim_of(slot) if rim else self._card(slot, card, leaving=coming is not None)
            places.append((self._x(card, track), line if not (rim and coming) else []))
        if coming is not None:
            line = self._tab_rim("edge-hand") if rim else self._coming(slot, coming)
            places.append((self._x(coming, track), line))
            if card is not None:
                places = self._apart(places, track, card < coming)
            if not rim:
                # From the label to the card that comes, all is lit, the card that leaves as well.
                reach = max(start for start, _line in places)
                text = "".join(text for text, _name in ground)
                ground = [(text[:reach], "accent"), (text[reach:], "quiet")]
        for start, line in places:
            if line:
                ground = _over(ground, start, line)
        return ground

    def _apart(
        self, places: list[tuple[int, Line]], track: int, leaving_first: bool
    ) -> list[tuple[int, Line]]:
        """The leaving and the coming card side by side where they would cover each other."""
        (leaving, old), (coming, new) = places
        tab = self._tab
        if abs(leaving - coming) >= tab:
            return places
        if leaving_first:
            coming = max(coming, tab)
            return [(coming - tab, old), (coming, new)]
        coming = min(coming, track - 2 * tab)
        return [(coming + tab, old), (coming, new)]

    def _card(self, slot: Slot, card: Card | None, *, leaving: bool) -> Line:
        glyphs = self.glyphs
        pad = " " if self._large else ""
        if card is None:
            return [(glyphs.back * self._tab, "face-back")]
        left, right = glyphs.leaving if leaving else glyphs.card
        face = "accent" if leaving else f"face-{self._face(slot)}"
        return [(f"{left}{pad}{card:>2}{pad}{right}", face)]

    def _coming(self, slot: Slot, card: Card) -> Line:
        chosen = slot == self.state.slot
        left, right = self.glyphs.coming if chosen else self.glyphs.advised
        pad = " " if self._large else ""
        return [(f"{left}{pad}{card:>2}{pad}{right}", "face-hand")]

    def _rim_of(self, slot: Slot) -> Line:
        return self._tab_rim(f"edge-{self._face(slot)}")

    def _tab_rim(self, style: str) -> Line:
        return [(self.glyphs.rim * self._tab, style)]

    def _face(self, slot: Slot) -> str:
        state = self.state
        if slot in state.breaks:
            return "bad"
        if slot in state.run:
            return "run"
        return "good" if slot in state.scoring else "plain"


def _over(ground: Line, start: int, line: Line) -> Line:
    """The ground with a line laid over it from a cell on; all characters are one cell wide."""
    end = start + width_of(line)
    before: Line = []
    after: Line = []
    x = 0
    for text, name in ground:
        before.append((text[: max(0, start - x)], name))
        after.append((text[max(0, end - x) :], name))
        x += len(text)
    return [span for span in (*before, *line, *after) if span[0]]


def _cut(line: Line, room: int) -> list[Span]:
    """The spans that fit whole into the room, the last one cut off."""
    cut: list[Span] = []
    for text, name in line:
        cells = cell_len(text)
        if cells > room:
            text, cells = set_cell_size(text, max(0, room)), room
        cut.append((text, name))
        room -= cells
    return cut
