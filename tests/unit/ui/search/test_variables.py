from __future__ import annotations

from ui.search.variables import filled, variables


def test_each_variable_is_asked_for_once() -> None:
    """In the order of the text. Braces of code are no variables."""
    assert variables("Translate {{text}} to {{ language }}; again {{text}}") == ("text", "language")
    assert variables("f'{x}' {{}} {{ }} {{a\nb}} {{{{") == ()


def test_braces_before_many_blanks_take_no_time() -> None:
    """An imported prompt of them stopped the window for an hour."""
    assert variables("{{" + " " * 100_000 + "{{name}}") == ("name",)


def test_values_replace_all_places() -> None:
    """A value may have braces of its own, which are not replaced again."""
    assert filled("{{a}} and {{ b }} and {{a}}", {"a": "{{b}}", "b": "2"}) == "{{b}} and 2 and {{b}}"
    assert filled("{{a}}", {}) == "{{a}}"
