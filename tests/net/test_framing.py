"""Bytes to frames, however they are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from racko_net.framing import MAX_FRAME, FrameError, FrameReader, frame

payloads = st.lists(st.binary(min_size=1, max_size=200), max_size=8)


@given(payloads, st.lists(st.integers(0, 300), max_size=20))
def test_frames_come_out_as_they_went_in_wherever_they_are_cut(
    sent: list[bytes], cuts: list[int]
) -> None:
    stream = b"".join(frame(payload) for payload in sent)
    reader = FrameReader()
    received: list[bytes] = []
    start = 0
    for cut in [*sorted(cuts), len(stream)]:
        received += reader.feed(stream[start:cut])
        start = max(start, cut)
    assert received == sent
    assert reader.waiting == 0


def test_a_truncated_frame_waits_for_the_rest() -> None:
    reader = FrameReader()
    whole = frame(b"abc")
    assert list(reader.feed(whole[:-1])) == []
    assert reader.waiting == len(whole) - 1
    assert list(reader.feed(whole[-1:])) == [b"abc"]


def test_the_largest_frame_passes_and_a_larger_one_is_refused_before_it_arrives() -> None:
    assert list(FrameReader().feed(frame(b"x" * MAX_FRAME))) == [b"x" * MAX_FRAME]
    with pytest.raises(FrameError):
        list(FrameReader().feed((MAX_FRAME + 1).to_bytes(4, "big")))
    with pytest.raises(FrameError):
        frame(b"x" * (MAX_FRAME + 1))


def test_an_empty_frame_is_refused() -> None:
    with pytest.raises(FrameError):
        list(FrameReader().feed(bytes(4)))
    with pytest.raises(FrameError):
        frame(b"")


def test_frames_before_a_bad_one_are_delivered() -> None:
    frames = FrameReader().feed(frame(b"good") + b"\xff\xff\xff\xff")
    assert next(frames) == b"good"
    with pytest.raises(FrameError):
        next(frames)
