"""Send drawings that are on the page the frames of what may be chosen next, after the drawings themselves."""

from collections.abc import Mapping

from pages.canvas.runtime.modules import component

_component = component("next_frames", html="<span hidden></span>")


def send_frames(frames: Mapping[str, bytes]) -> None:
    """Send drawings their frames.

    frames: the packed data of each drawing with its frames, by the drawing's key, which its meta names as `of`.
    """
    for key, data in frames.items():
        _component(data=data, key=f"{key}-frames")
