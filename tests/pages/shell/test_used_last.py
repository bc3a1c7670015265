"""Models are held by their bytes: those used last."""

from torch import nn

from pages.queries.used_last import UsedLast


def test_the_models_used_last_are_held_as_far_as_their_bytes_fit() -> None:
    read: list[str] = []
    held = UsedLast(4 * 100)

    def get(name: str, numbers: int) -> nn.Linear:
        def reads() -> nn.Linear:
            read.append(name)
            return nn.Linear(numbers - 1, 1)  # and its bias: so many numbers of four bytes

        found: nn.Linear = held.get(name, reads)
        return found

    first = get("first", 40)
    get("second", 40)
    assert get("first", 40) is first and read == ["first", "second"]
    get("third", 60)  # for which the second goes: it has not been used for longest
    assert get("first", 40) is first
    get("second", 40)
    assert read == ["first", "second", "third", "second"]
    for _ in range(2):
        get("too large", 101)
    assert get("first", 40) is first
    assert read == ["first", "second", "third", "second", "too large", "too large"]
