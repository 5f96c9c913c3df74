"""The loopback hub: a server on 127.0.0.1 that speaks what huggingface_hub asks, and misbehaves on order.

A request is answered on a thread of its own. Large files come by a redirect from a second port, as from a CDN, so that
a client must not send its token there. `Hub.asked` records every request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote, urlencode

import pytest

from tests.fakes.hub import faults
from tests.fakes.hub.faults import Fault, Rule
from tests.fakes.hub.handler import HubServer
from tests.fakes.hub.messages import Asked, Reply
from tests.fakes.hub.repository import HubFile, Repository


@dataclass
class Hub:
    """`tokens` are the users by their tokens. `page` is the most entries of a listing."""

    url: str = ""
    cdn: str = ""
    page: int = 1000
    repositories: dict[str, Repository] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    _rules: list[Rule] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, files: Mapping[str, bytes], **told: Any) -> Repository:
        """Publish `files` as a repository; `told` are fields of Repository."""
        repository = self.repositories[name] = Repository(name, **told)
        repository.commit(files)
        return repository

    def misbehave(
        self, fault: Fault, path: str = "*", method: str = "", *, times: int | None = 1, skip: int = 0
    ) -> None:
        """Give `fault` as the answer, by the rule of these values. The newest rule comes first."""
        with self._lock:
            self._rules.insert(0, Rule(fault, path, method, times, skip))

    def behave(self) -> None:
        """Forget all faults."""
        with self._lock:
            self._rules.clear()

    def environment(self) -> dict[str, str]:
        """The variables that lead a process to this hub."""
        return {"HF_ENDPOINT": self.url, "HF_HUB_OFFLINE": "0"}

    def lead(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Lead this process and its children to this hub."""
        from huggingface_hub import constants

        for name, value in self.environment().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "ENDPOINT", self.url)
        template = f"{self.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)

    def paths(self, method: str = "") -> list[str]:
        """The paths that were asked for, in order."""
        return [asked.path for asked in list(self.asked) if method in ("", asked.method)]

    def note(self, asked: Asked) -> Fault:
        """Record a request. Returns the fault that is ordered for it, or none in particular."""
        with self._lock:
            self.asked.append(asked)
            return next((rule.fault for rule in self._rules if rule.concerns(asked.method, asked.path)), Fault())

    def answer(self, asked: Asked) -> Reply:
        """Return the right answer."""
        parts = asked.path.strip("/").split("/")
        if asked.token and asked.token not in self.tokens:
            return _refused(faults.bad_token())
        match parts:
            case ["api", "models"]:
                return self._search(asked)
            case ["api", "whoami-v2"]:
                return self._user(asked)
            case ["api", "models", owner, name, *rest]:
                return self._about(asked, f"{owner}/{name}", rest)
            case _:
                return self._content(asked, parts)

    def _user(self, asked: Asked) -> Reply:
        user = self.tokens.get(asked.token)
        return _json({"name": user, "type": "user"}) if user else _refused(faults.bad_token())

    def _content(self, asked: Asked, parts: list[str]) -> Reply:
        match parts:
            case ["api", "resolve-cache", "models", owner, name, revision, *path]:
                return self._file(asked, f"{owner}/{name}", unquote(revision), "/".join(path), cached=True)
            case ["cdn", digest]:
                return self._stored(digest)
            case [owner, name, "resolve" | "raw", revision, *path]:
                return self._file(asked, f"{owner}/{name}", unquote(revision), "/".join(path), cached=False)
            case _:
                return Reply(b"not here", 404)

    def _visible(self, name: str, token: str) -> Repository | None:
        found = self.repositories.get(name)
        return found if found and (not found.private or found.open_to(token)) else None

    def _about(self, asked: Asked, name: str, rest: list[str]) -> Reply:
        repository = self._visible(name, asked.token)
        if repository is None:
            return _refused(faults.no_repository(known=bool(asked.token)))
        kind, revision, *path = [unquote(part) for part in rest] if len(rest) > 1 else ["revision", "main"]
        sha = repository.sha(revision)
        if sha is None:
            return _refused(faults.no_revision(revision))
        match kind:
            case "revision":
                return _json(_info(repository, sha, asked.query))
            case "tree":
                listed = repository.tree(sha, "/".join(path), recursive=_true(asked.query, "recursive"))
                return self._paged(asked, listed, self.page)
            case "paths-info":
                wanted = asked.query.get("paths", [])
                return _json([file.entry() for path, file in repository.commits[sha].items() if path in wanted])
            case _:
                return Reply(b"not here", 404)

    def _search(self, asked: Asked) -> Reply:
        query = asked.query
        found = [repository for repository in self.repositories.values() if self._wanted(repository, asked)]
        order = query.get("sort", ["trendingScore"])[0]
        found.sort(key=lambda repository: str(repository.info(repository.branches["main"]).get(order, "")).zfill(30))
        found.reverse()
        limit = int(query.get("limit", ["1000"])[0])
        return self._paged(asked, [_result(repository, query) for repository in found], min(limit, self.page))

    def _wanted(self, repository: Repository, asked: Asked) -> bool:
        query, told = asked.query, repository.listed()
        words = " ".join(query.get("search", [])).lower().split()
        return (
            self._visible(repository.id, asked.token) is not None
            and all(word in repository.id.lower() for word in words)
            and all(
                tag in (*told["tags"], told["library_name"], told["pipeline_tag"]) for tag in query.get("filter", [])
            )
            and query.get("author", [repository.id.partition("/")[0]])[0] == repository.id.partition("/")[0]
            and query.get("pipeline_tag", [repository.pipeline])[0] == repository.pipeline
            and ("gated" not in query or _true(query, "gated") == bool(repository.gated))
        )

    def _paged(self, asked: Asked, entries: list[dict[str, Any]], page: int) -> Reply:
        start = int(asked.query.get("cursor", ["0"])[0])
        later = start + page
        headers = {}
        if later < len(entries):
            query = urlencode({**asked.query, "cursor": [str(later)]}, doseq=True)
            headers["Link"] = f'<{self.url}{asked.path}?{query}>; rel="next"'
        return _json(entries[start:later], headers)

    def _file(self, asked: Asked, name: str, revision: str, path: str, *, cached: bool) -> Reply:
        """A small file comes by a redirect within the hub, a large one by a redirect to the CDN."""
        repository = self._visible(name, asked.token)
        if repository is None:
            return _refused(faults.no_repository(known=bool(asked.token)))
        sha = repository.sha(revision)
        if sha is None:
            return _refused(faults.no_revision(revision))
        file = repository.commits[sha].get(unquote(path))
        if file is None:
            return _refused(faults.no_file())
        if repository.gated and file.path != "README.md" and not repository.open_to(asked.token):
            return _refused(faults.gated(member=bool(asked.token)))
        return self._redirected(file, name, sha, cached=cached)

    def _redirected(self, file: HubFile, name: str, sha: str, *, cached: bool) -> Reply:
        told = {
            "X-Repo-Commit": sha,
            "X-Linked-Size": str(file.size),
            "X-Linked-Etag": f'"{file.etag}"',
            "ETag": f'"{file.etag}"',
        }
        if file.large:
            if file.xet_hash:
                told["X-Xet-Hash"] = file.xet_hash
                told["Link"] = f'<{self.url}/api/models/{name}/xet-read-token/{sha}>; rel="xet-auth"'
            return Reply(b"", 302, {**told, "Location": f"{self.cdn}/cdn/{file.sha256}"})
        if cached:
            return Reply(file.data, 200, told, ranged=True)
        return Reply(b"", 307, {**told, "Location": f"/api/resolve-cache/models/{name}/{sha}/{quote(file.path)}"})

    def _stored(self, digest: str) -> Reply:
        for repository in list(self.repositories.values()):
            for files in list(repository.commits.values()):
                for file in files.values():
                    if file.large and file.sha256 == digest:
                        return Reply(file.data, 200, {"ETag": f'"{digest}"'}, ranged=True)
        return Reply(b"not here", 404)


@contextmanager
def serving() -> Iterator[Hub]:
    """A hub that runs within the block. Hearth begins with a new client, as in a process that starts."""
    from app.hub.source import client

    client().close()
    client.cache_clear()
    with ExitStack() as stack:
        hub = Hub()
        hub.url = stack.enter_context(_listening(hub))
        hub.cdn = stack.enter_context(_listening(hub))
        stack.callback(hub.closing.set)
        yield hub


@contextmanager
def _listening(hub: Hub) -> Iterator[str]:
    server = HubServer(hub)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _json(value: object, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(json.dumps(value).encode(), 200, {"Content-Type": "application/json", **(headers or {})})


def _refused(fault: Fault) -> Reply:
    words = {"error": fault.headers.get("X-Error-Message", "no")}
    return Reply(json.dumps(words).encode(), fault.status, {"Content-Type": "application/json", **fault.headers})


def _true(query: Mapping[str, list[str]], name: str) -> bool:
    return query.get(name, ["false"])[0].lower() in ("true", "1")


def _info(repository: Repository, sha: str, query: Mapping[str, list[str]]) -> dict[str, Any]:
    whole = repository.info(sha, blobs=_true(query, "blobs"))
    if _true(query, "securityStatus"):
        whole["securityRepoStatus"] = {"scansDone": True, "filesWithIssues": []}
    return _expanded(whole, query) if "expand" in query else whole


def _expanded(whole: dict[str, Any], query: Mapping[str, list[str]]) -> dict[str, Any]:
    return {name: value for name, value in whole.items() if name in ("_id", "id", *query["expand"])}


def _result(repository: Repository, query: Mapping[str, list[str]]) -> dict[str, Any]:
    """A line of a search; the hub tells more only if it is asked to."""
    whole = repository.info(repository.branches["main"])
    if "expand" in query:
        return _expanded(whole, query)
    more = [name for name in ("config", "cardData") if _true(query, name)]
    if _true(query, "full"):
        more += ["author", "sha", "lastModified", "gated", "disabled", "siblings"]
    return repository.listed() | {name: whole[name] for name in more}
