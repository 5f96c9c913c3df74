from __future__ import annotations

from storage.library.library import Library


def test_prompts_are_kept_by_name(library: Library) -> None:
    """A prompt is added, changed, listed by name whatever its case, and deleted."""
    review = library.prompts.save("", "review", "Review {{this}}")
    library.prompts.save("", "Answer", "Answer briefly")
    assert library.prompts.save(review, "Look over", "Look") == review
    assert [(one.name, one.text) for one in library.prompts.listed()] == [
        ("Answer", "Answer briefly"),
        ("Look over", "Look"),
    ]
    library.prompts.remove(review)
    assert [one.name for one in library.prompts.listed()] == ["Answer"]


def test_a_change_of_a_deleted_prompt_is_not_lost(library: Library) -> None:
    """What the user wrote is kept, also if the prompt was deleted meanwhile."""
    kept = library.prompts.save("", "One", "1")
    library.prompts.remove(kept)
    assert library.prompts.save(kept, "One", "2") == kept
    assert [one.text for one in library.prompts.listed()] == ["2"]
