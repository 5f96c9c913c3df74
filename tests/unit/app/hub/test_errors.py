"""The sentence for each status that the hub answers."""

from __future__ import annotations

import pytest

from app.hub import errors

GATED = "This model is gated: ask for access on its page at the hub, and enter your token with “Access token…”."
NO_ACCESS = "Your token has no access to this model. Ask for access on its page at the hub."
NOT_THERE = "The hub has no such model, or your token does not show it."


@pytest.mark.parametrize(
    ("status", "code", "kind", "sentence"),
    [
        (401, "GatedRepo", errors.ModelGated, GATED),
        (403, "GatedRepo", errors.ModelGated, NO_ACCESS),
        (403, "", errors.ModelGated, NO_ACCESS),
        (401, "RepoNotFound", errors.NotOnHub, NOT_THERE),
        (404, "RevisionNotFound", errors.NotOnHub, NOT_THERE),
        (404, "", errors.NotOnHub, NOT_THERE),
        (
            401,
            "",
            errors.TokenRefused,
            "The hub does not accept your token. Enter it again with “Access token…” on the page Find models.",
        ),
        (429, "", errors.HubBusy, "The hub asks for fewer requests. Try again later."),
        (500, "", errors.HubBusy, "The hub has a fault of its own (500). Try again later."),
        (503, "", errors.HubBusy, "The hub has a fault of its own (503). Try again later."),
        (418, "", errors.HubError, "The hub refuses this request (418)."),
    ],
)
def test_each_status_has_one_sentence(status: int, code: str, kind: type[Exception], sentence: str) -> None:
    """The user learns what happened and what to do, in words that do not depend on the library."""
    error = errors.refusal(status, code)
    assert type(error) is kind
    assert str(error) == sentence


def test_the_wait_that_the_hub_names_is_said_and_kept() -> None:
    """Who retries waits as long as the hub asks."""
    error = errors.refusal(429, wait=30)
    assert isinstance(error, errors.HubBusy)
    assert error.wait == 30
    assert str(error) == "The hub asks for fewer requests. Try again in 30 s."


def test_no_answer_is_one_line() -> None:
    """Without a network, each part of Hearth that needs it says so in one line."""
    assert str(errors.HubUnreachable("it does not answer")) == "Hugging Face cannot be reached: it does not answer."


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [("", "Hugging Face"), ("https://hub.example:8443/api", "hub.example"), ("http://[", "Hugging Face")],
)
def test_the_hub_that_is_away_has_a_name(endpoint: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """People know Hugging Face, or the host that they set in HF_ENDPOINT."""
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    assert str(errors.HubUnreachable(errors.NO_CONNECTION)) == (
        f"{name} cannot be reached: this computer seems to be offline."
    )
