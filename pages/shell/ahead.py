"""Send the browser the drawings for each choice that may come next, so that it need not wait for the server."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from time import perf_counter, sleep
from typing import Any

from core.tracing.run import Run
from pages.canvas.next_frames.next_frames import send_frames
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.frames import Choice, Controls, Drawn, Snapshot, at_now, framed, snapshot
from pages.canvas.runtime.stamps import Stamps
from pages.compute.cancellation import raise_if_abandoned
from pages.compute.run_slots import run_slots
from pages.session.visit import visit_part, visit_state
from pages.shell.page import Page
from pages.shell.parts import drawings_in, with_data
from pages.shell.saved.frames import controls_at, unasked
from pages.shell.view import Shown, View
from pages.widgets import MOST_BUTTONS, PLACE, Control, Setting, Values

MAX_FRAMES = 96
MAX_STEPS, NEXT_STEPS = 48, 8  # of a control: drawn, and never to be missing
NEXT_OF_SOME = 2  # of those that are not all sent, never to be missing
MAX_BYTES = 100_000  # of the frames that a drawing is sent, compressed
PAUSE_SECONDS = 0.1  # in which the browser draws the answer
MAX_SECONDS = 0.25  # for drawing states in one run of the script
MAX_STATE_SECONDS = 0.05  # for drawing one state
MAX_KEPT_BYTES = 400_000  # of drawn states, for each visitor
Drawings = Mapping[str, CanvasDrawing]  # by their keys
Snapshots = Mapping[str, Snapshot]  # the same
Change = Mapping[str, Any]  # new values of settings, by their keys
State = tuple[Hashable, ...]  # the values of all settings


@dataclass
class DrawnAhead:
    """The drawings that were made in advance for a visitor.

    about: the page, the view and the run that all other fields are about.
    now: the values of all settings in the last run of the script, by their keys.
    states: the drawings by the values of all settings.
    screen: the view that was drawn in this run of the script.
    sent: the frames that were sent; None if there are none, or if they are out of date.
    number: how often frames that were sent before have become out of date.
    given_up: the keys of settings after whose change nothing is drawn, because it takes too many bytes or too long.
    """

    about: Any = None
    now: Mapping[str, Hashable] = field(default_factory=dict)
    states: dict[State, Snapshots] = field(default_factory=dict)
    screen: "_Screen | None" = None
    sent: "_Sent | None" = None
    number: int = 0
    given_up: set[frozenset[str]] = field(default_factory=set)

    def changed(self, about: Any, now: Mapping[str, Hashable]) -> set[str]:
        """Store the current values of settings, and return the keys of those that changed.

        Nothing is returned if the page, the view or the run is another one than before.
        """
        before, self.now = self.now, now
        if self.about != about:
            self.about, self.states, self.sent, self.given_up = about, {}, None, set()
            self.number += 1
            return set()
        changed = {key for key, value in now.items() if before.get(key) != value}
        if self.sent is None or not changed <= {*self.sent.keys, *self.sent.followed}:
            self.sent, self.number = None, self.number + 1
        return changed


@dataclass(frozen=True)
class _Sent:
    """Frames for the browser.

    keys: the keys of the settings by which they differ.
    controls: the controls that choose their values.
    choices: the values of these settings for which there are frames.
    drawings: the keys of the drawings that have some.
    followed: the keys of settings that drawings follow by themselves.
    has_all: whether no choice of now was left out.
    """

    keys: tuple[str, ...]
    controls: Controls
    choices: frozenset[Choice]
    drawings: frozenset[str]
    followed: frozenset[str]
    has_all: bool = True


@dataclass(frozen=True)
class _Screen:
    """A view as it is now.

    drawings: the drawings by their keys.
    changed: the keys of the settings that have just changed.
    used: the controls of these settings.
    """

    page: Page
    view: View
    run: Run
    values: Values
    drawings: Drawings
    changed: frozenset[str] = frozenset()
    used: Sequence[Control] = ()

    @property
    def settings(self) -> tuple[Setting, ...]:
        return *self.page.all_settings, *PLACE

    @property
    def followed(self) -> frozenset[str]:
        """The keys of the settings that the drawings follow by themselves."""
        return frozenset().union(*(drawing.follows for drawing in self.drawings.values()))


def marked(page: Page, view: View, run: Run, values: Values, shown: Shown) -> Shown:
    """Return a view whose drawings name the frames in the browser that are still valid; `send_ahead` sends new ones."""
    held = visit_part(DrawnAhead)
    screen = _Screen(page, view, run, values, _canvas_drawings(shown))
    now = {setting.key: _hashable(values[setting]) for setting in screen.settings}
    changed = held.changed((page.address, view.name, run), now) - visit_state().automatic
    held.screen = replace(screen, changed=frozenset(changed))
    if (sent := held.sent) is None:
        return shown
    at = tuple(now[key] for key in sent.keys)

    def mark(drawing: CanvasDrawing) -> bytes | None:
        return at_now(drawing, sent.keys, at, sent.controls, held.number) if drawing.key in sent.drawings else None

    return replace(shown, pictures=with_data(shown.pictures, mark))


def send_ahead() -> None:
    """Send the frames of the view that was marked in this run of the script; call this when all else is drawn.

    Once a visitor has changed a setting of the page or the view, by a click on a drawing or with a control, the browser
    gets the drawings for the other values of that control and for all clicks, up to MAX_BYTES of them. It gets
    none if they take too long to draw, or if other visitors wait. The work begins after a pause, because it would hold
    back what the browser is still to get; a visitor who chooses something else meanwhile ends it.
    """
    held = visit_part(DrawnAhead)
    screen, held.screen = held.screen, None
    if screen is None or not screen.changed or screen.changed in held.given_up or run_slots().waiting:
        return
    controls, _ = controls_at(screen.page, screen.view, screen.run, screen.values)
    screen = replace(screen, used=[control for control in controls if control.setting.key in screen.changed])
    kinds = _kinds(screen)
    if not kinds or (held.sent and _has_next(held.sent, screen, kinds[0])):
        return
    with run_slots().aside():
        sleep(PAUSE_SECONDS)
    sent, data = _frames(screen, [change for kind in kinds for change in kind], held)
    if data:
        held.sent = sent
        send_frames(data)
    else:
        held.given_up.add(screen.changed)
        held.states = {}


def _has_next(sent: _Sent, screen: _Screen, changes: Sequence[Change]) -> bool:
    """Return whether the browser has the frames after these changes.

    If they are many or large, only those after the nearest changes have to be there.
    """
    is_long = any(control.is_number_box or len(control.choices) > MOST_BUTTONS for control in screen.used)
    most = NEXT_OF_SOME if not sent.has_all else NEXT_STEPS if is_long else None
    now = {setting.key: _hashable(screen.values[setting]) for setting in screen.settings}
    others = [change for change in changes if any(now[key] != value for key, value in change.items())]
    wanted = [tuple({**now, **change}[key] for key in sent.keys) for change in others[:most]]
    return all(change.keys() <= set(sent.keys) for change in changes) and sent.choices.issuperset(wanted)


def _kinds(screen: _Screen) -> list[list[Change]]:
    """Return the changes that may come next, in lists of those that change the same settings, the likeliest first.

    A list with which there would be more than MAX_FRAMES changes is left out. There are none if nothing on the screen
    changes what has just changed.
    """
    known = {setting.key for setting in screen.settings} - screen.followed
    kinds: dict[frozenset[str], dict[tuple[Any, ...], Change]] = {}
    clicks = [click for drawing in screen.drawings.values() for click in drawing.answers().values()]
    options = [{each.setting.key: value} for each in screen.used for value in _nearest(each, screen.values)]
    for change in ({key: _hashable(value) for key, value in each.items()} for each in (*clicks, *options)):
        if change.keys() <= known:
            kinds.setdefault(frozenset(change), {})[tuple(change.items())] = change
    if not any(keys & screen.changed for keys in kinds):
        return []
    found: list[list[Change]] = []
    offered = {frozenset({each.setting.key}) for each in screen.used}
    for keys in sorted(kinds, key=lambda keys: (not keys & screen.changed, keys not in offered)):
        if sum(map(len, found)) + len(kinds[keys]) <= MAX_FRAMES:
            found.append(list(kinds[keys].values()))
    return found


def _nearest(control: Control, values: Values) -> list[Any]:
    """Return the values that a visitor can choose with the control, the nearest to the current one first.

    There are none if the browser cannot tell which one is chosen: of a list, as which many pills are drawn, too.
    """
    offered, now = control.choices, values[control.setting]
    if control.is_number_box:
        return control.steps_from(now, MAX_STEPS)
    if control.setting.kind == "selectbox" or (control.setting.kind == "pills" and len(offered) > MOST_BUTTONS):
        return []
    place = offered.index(now) if now in offered else 0
    return sorted(offered, key=lambda value: abs(offered.index(value) - place))[:MAX_STEPS]


def _frames(screen: _Screen, changes: Sequence[Change], ahead: DrawnAhead) -> tuple[_Sent, list[bytes]]:
    """Return the frames after as many of these changes as fit, and the data of the drawings; no data if none fits."""
    varied = tuple(setting for setting in screen.settings if any(setting.key in change for change in changes))
    at = tuple(_hashable(screen.values[setting]) for setting in varied)
    others = dict.fromkeys(
        tuple(change.get(setting.key, now) for setting, now in zip(varied, at, strict=True)) for change in changes
    )
    choices = {other: screen.values.but(dict(zip(varied, other, strict=True))) for other in others if other != at}
    states = _states(screen, choices, ahead)
    keys = tuple(setting.key for setting in varied)
    controls = {control.setting.key: _values_by_index(control) for control in screen.used if control.setting in varied}
    drawn = {key: {at: drawing} | _of(key, states) for key, drawing in screen.drawings.items()}
    found = {key: framed(keys, those, max_bytes=MAX_BYTES) for key, those in drawn.items() if len(those) > 1}
    left_out = {choice for key, frames in found.items() for choice in drawn[key].keys() - set(frames.choices)}
    fitting = [at, *takewhile(lambda choice: choice not in left_out, states)]
    sent = _Sent(keys, controls, frozenset(fitting), frozenset(found), screen.followed, has_all=not left_out)
    if len(fitting) == 1 or screen.changed in ahead.given_up:
        return sent, []
    numbers = visit_part(Stamps).last
    return sent, [
        frames.only(sent.choices).differing(at, controls, ahead.number, key, numbers.get(key, (None, 0))[1])
        for key, frames in found.items()
    ]


def _of(key: str, states: Mapping[Choice, Snapshots]) -> dict[Choice, Drawn]:
    """Return one drawing at each choice at which there is one."""
    return {choice: held[key] for choice, held in states.items() if key in held}


def _values_by_index(control: Control) -> list[Any] | None:
    """Return the values of a control in the order of its buttons or steps; None where the browser reads a number."""
    return None if control.is_number_box or control.setting.kind == "slider" else list(control.choices)


def _states(screen: _Screen, choices: Mapping[Choice, Values], ahead: DrawnAhead) -> dict[Choice, Snapshots]:
    """Return what is drawn at each choice, as far as the limits allow and as long as no other visitor waits.

    choices: the choices, each with the values of all settings.
    ahead: holds what was drawn before, and then what is returned.
    """
    drawn: dict[Choice, Snapshots] = {}
    used: dict[State, Snapshots] = {}
    kept = dict[int, int]()  # the bytes of arrays by their identity, because states share them
    seconds = list[float]()  # of each state that was drawn just now
    for choice, values in choices.items():
        raise_if_abandoned()
        state = tuple(_hashable(values[setting]) for setting in screen.settings)
        if state in ahead.states:
            used[state] = ahead.states[state]
        elif sum(seconds) < MAX_SECONDS and sum(kept.values()) < MAX_KEPT_BYTES and not run_slots().waiting:
            begun = perf_counter()
            used[state] = _snapshots(screen, values)
            seconds.append(perf_counter() - begun)
        else:
            continue
        drawn[choice] = used[state]
        kept |= {id(array): array.nbytes for held in used[state].values() for array in held.arrays.values()}
    ahead.states = used
    if seconds and min(seconds) > MAX_STATE_SECONDS:
        ahead.given_up.add(screen.changed)
    return drawn


def _snapshots(screen: _Screen, values: Values) -> Snapshots:
    """Return snapshots of the view's drawings at these values; none if the view cannot be shown there."""
    shown, now = unasked(screen.page, screen.view, screen.run, values, MAX_STATE_SECONDS), screen.drawings
    others = _canvas_drawings(shown) if shown else {}
    return {key: snapshot(drawing, now[key]) for key, drawing in others.items() if key in now}


def _canvas_drawings(shown: Shown) -> Drawings:
    return {part.key: part for part in drawings_in(shown.pictures) if isinstance(part, CanvasDrawing)}


def _hashable(value: Any) -> Hashable:
    return tuple(value) if isinstance(value, list) else value
