"""Send drawings on the page the frames for choices that the visitor may make next, after the drawings themselves."""

from collections.abc import Iterable

from pages.canvas.runtime.modules import component

_component = component("next_frames", html="<span hidden></span>")


def send_frames(frames: Iterable[bytes]) -> None:
    """Send drawings their frames.

    frames: the packed data of each drawing with its frames; their meta names the drawing's key as `of`.
    """
    _component(data=b"".join(len(data).to_bytes(4, "little") + data for data in frames), key="next-frames")
