"""Send drawings on the page the frames for choices that the visitor may make next, after the drawings themselves."""

import zlib
from collections.abc import Iterable

from pages.canvas.runtime.frames import FAST
from pages.canvas.runtime.modules import component

_component = component("next_frames", html="<span hidden></span>")


def send_frames(frames: Iterable[bytes]) -> None:
    """Send drawings their frames, compressed.

    frames: of each drawing, the packed data of `Frames.differing`.
    """
    blocks = [zlib.compress(data, FAST) for data in frames]
    _component(data=b"".join(len(block).to_bytes(4, "little") + block for block in blocks), key="next-frames")
