"""The secret that leads a class, kept by the teacher's browser in a cookie that no script and no other site can use.

In an address it would stand on the wall of whoever mirrors a laptop, in the browser's history and in links. The cookie
goes to this server alone (SameSite=Strict) and also with pages to print; browsers keep none in a frame of another site.
"""

from starlette.requests import Request
from starlette.responses import Response

from pages.classroom.codes import is_code
from pages.classroom.registry import ROOM_SECONDS, RoomRegistry
from pages.classroom.rooms import Room

PREFIX = "class-"  # before the room's code: a browser may lead several classes


def give_secret(response: Response, request: Request, room: Room, base: str) -> None:
    """Let the browser that gets this response lead the room.

    base: the path of the app, "" or "/…".
    """
    response.set_cookie(
        PREFIX + room.code,
        room.secret,
        max_age=int(ROOM_SECONDS),
        path=f"{base}/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def take_secret(response: Response, room: Room, base: str) -> None:
    """Let the browser that gets this response forget the room."""
    response.delete_cookie(PREFIX + room.code, path=f"{base}/", httponly=True, samesite="strict")


def given_secret(request: Request, code: str) -> str:
    """Return the secret that a browser sends for the room of this code; "" if it sends none."""
    return request.cookies.get(PREFIX + code, "")


async def led_rooms(request: Request, rooms: RoomRegistry) -> list[Room]:
    """Return the rooms that the browser which sends a request leads."""
    codes = [name.removeprefix(PREFIX) for name in request.cookies if name.startswith(PREFIX)]
    found = [await rooms.by_secret(code, given_secret(request, code)) for code in codes if is_code(code)]
    return [room for room in found if room]
