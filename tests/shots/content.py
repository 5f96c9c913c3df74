"""The content of the pictures: conversations, models, files and figures as people have them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from resources import ROOT
from resources.language.text import plural, present, tr
from tests.fakes.model_views import FITS, TOO_LARGE, detail, downloading, local, remote
from ui.state.chat import (
    AttachmentView,
    ChatPhase,
    ChatStatus,
    ChatView,
    MessageState,
    MessageView,
    QueuedView,
    QueueView,
    ToolView,
    Warmth,
)
from ui.state.chat_memory import ChatMemoryView, TurnBlock
from ui.state.chat_settings import ChatSettingsView, PresetView, SamplingView
from ui.state.engine import ModelView
from ui.state.library import ConversationRow, DeletedRow
from ui.state.models import DownloadState, HubView, LocalModelsView, ModelRow, ModelState
from ui.state.settings import CheckView, StorageView, StoredChat
from ui.theme.phrases import duration, enumerated, size, thought_line, token_count

NOW = datetime(2026, 9, 9, 10, 12, tzinfo=UTC)
GB = 2**30


def _model(size_in_bytes: float, *more: str) -> str:
    return " · ".join((tr("Hybrid"), *more, size(int(size_in_bytes))))


QWEN = ModelView("qwen", "Qwen3.5 9B", _model(5.7e9, tr("{bits}-bit", bits=4)), "qwen", 7)
LFM = ModelView("lfm", "LFM2 2.6B", _model(3e9), "lfm", 2)
FALCON = ModelView("falcon", "Falcon-H1 1.5B", _model(3.2e9))

WARM = ChatStatus(
    warmth=Warmth.WARM, cached_tokens=12_288, restore_ms=40.0, instead_seconds=9.6, context_tokens=12_418,
    context_limit=32_768, tokens_per_second=63.8,
)  # fmt: skip
WRITING = ChatStatus(
    phase=ChatPhase.GENERATING, warmth=Warmth.WARM, cached_tokens=12_288, tokens_per_second=63.8,
    context_tokens=12_460, context_limit=32_768, prefill_done=130, prefill_total=130,
)  # fmt: skip
PREFILLING = ChatStatus(
    phase=ChatPhase.PREFILL, warmth=Warmth.COLD, context_tokens=11_930, context_limit=32_768, prefill_done=4_096,
    prefill_total=11_930, cause="edited",
)  # fmt: skip
RESTORING = ChatStatus(phase=ChatPhase.RESTORING, warmth=Warmth.RESTORING, context_tokens=12_288, context_limit=32_768)
QUEUED = ChatStatus(phase=ChatPhase.QUEUED, context_tokens=9_100, context_limit=32_768)
NEARLY_FULL = ChatStatus(warmth=Warmth.WARM, context_tokens=31_640, context_limit=32_768)

_TITLES = (
    ("Prefix cache for shared prompts", "Both requests join the same batch.", 0.01, "", ("engine",)),
    ("Rust borrow checker puzzles", "The closure borrows items mutably for as long as it lives.", 0.2, "", ()),
    ("A week in Lisbon", "Day three: take the tram to Belém, then walk back along the river.", 1.2, "Travel", ()),
    ("Bread that rises", "Cold-proof it overnight, and shape it in the morning.", 2.1, "", ("kitchen",)),
    ("Letter to the landlord", "I suggest a friendlier first paragraph.", 3.4, "", ()),
    ("Gravity, for a talk", "Start from the falling lift; it needs no formula.", 8.0, "Talks", ()),
    ("Names for a cat", "Three of them are bad on purpose.", 40.0, "", ()),
    ("Tax questions 2025", "Keep the receipts for three years.", 330.0, "", ("urgent",)),
)


def rows() -> tuple[ConversationRow, ...]:
    """The conversations of the sidebar, the first of which is pinned."""
    return tuple(
        ConversationRow(f"c{n}", title, snippet, NOW - timedelta(days=days), pinned=n == 0, folder=folder, tags=tags)
        for n, (title, snippet, days, folder, tags) in enumerate(_TITLES)
    )


FOUND = (
    ConversationRow("c2", "A week in Lisbon", "take the tram to Belém", NOW, marks=((9, 13),)),
    ConversationRow("c4", "Letter to the landlord", "the tram stop before the house", NOW, marks=((4, 8),)),
)
DELETED = (
    DeletedRow("d0", "Packing list", "Two jumpers, one coat.", 29),
    DeletedRow("d1", "A very long title of a chat that does not fit into its row, and so is cut", "Why?", 3),
)


def asked(name: str, text: str, **more: object) -> MessageView:
    """A message of the user."""
    return MessageView(name, "user", text, **more)  # type: ignore[arg-type] # as the caller names them


def answered(name: str, text: str, **more: object) -> MessageView:
    """A reply."""
    return MessageView(name, "assistant", text, **{"footer": token_count(412), **more})  # type: ignore[arg-type] # as the caller names them


PROSE = """Both requests join the same batch. The scheduler **pins** the shared blocks, so neither tab \
can evict what the other one uses, and each tab writes only its own tail.

1. The system prompt is prefilled once.
2. Each chat restores its *own* checkpoints:
   - keys and values of attention layers,
   - the state of recurrent layers.
3. New tokens are decoded together.

> A prefix that two chats share is stored once.

See [the notes](https://example.org/notes) for the sizes."""
CODE = """Borrow the list only while you look at it:

```python
def newest(records: list[Record], limit: int = 8) -> list[Record]:
    \"\"\"The newest records, newest first.\"\"\"
    ordered = sorted(records, key=lambda record: record.written, reverse=True)
    return [record for record in ordered if not record.is_superseded and record.size < MOST_BYTES][:limit]
```

Call `newest(records)` once, and keep the result."""
TABLE = """| Planet | Moons | Day | Known for |
|:--|--:|--:|---|
| Mercury | 0 | 1,408 h | long days |
| Mars | 2 | 24.6 h | dust, and two small moons |
| Jupiter | 97 | 9.9 h | the storm |
| Saturn | 274 | 10.7 h | its rings |

Jupiter turns fastest."""
WIDE_TABLE = """These three write what you ask them to:

| Library | Licence | First release | What it is good for | What it lacks | Stars |
|---|---|--:|---|---|--:|
| markdown-it-py | MIT | 2020 | Source line maps, plugins, and a strict parser | incremental parsing | 1,024 |
| mistune | BSD-3-Clause | 2014 | Speed above all, and a small code base | | 2,600 |
| `cmark` | BSD-2-Clause | 2014 | The reference, in C | plugins | 1,700 |

Rain in Lisbon, in millimetres:

| Year | January | February | March | April | May | June | July | August | September | October | November | December |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
| 2023 | 118.2 | 9.4 | 24.1 | 5.0 | 31.8 | 22.6 | 0.0 | 1.2 | 45.9 | 248.7 | 96.3 | 71.5 |
| 2024 | 93.0 | 71.8 | 158.4 | 21.1 | 9.7 | 12.5 | 0.2 | 0.0 | 38.6 | 121.9 | 64.4 | 30.2 |
| 2025 | 174.5 | 52.3 | 212.0 | 66.8 | 40.1 | 3.3 | 0.0 | | | | | |"""
MATH = r"""The area under the bell curve is

$$\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}$$

since $r\,dr\,d\theta$ turns the square of it into \(2\pi \cdot \tfrac{1}{2}\). In matrices:

\[ \begin{pmatrix} a & b \\ c & d \end{pmatrix}^{-1}
= \frac{1}{ad - bc} \begin{pmatrix} d & -b \\ -c & a \end{pmatrix} \]

and the sum is $\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6}$."""
WIDE_FORMULA = r"""The sine is an odd function, so only odd powers are left:

$$
\sin x = x - \frac{x^3}{3!} + \frac{x^5}{5!} - \frac{x^7}{7!} + \frac{x^9}{9!} - \frac{x^{11}}{11!}
+ \frac{x^{13}}{13!} - \frac{x^{15}}{15!} + \frac{x^{17}}{17!} - \frac{x^{19}}{19!}
+ \frac{x^{21}}{21!} - \frac{x^{23}}{23!} + \cdots
$$.

Its first terms are enough near $x = 0$:

1. The remainder is small, as $|R_3| \le \frac{|x|^5}{5!}$.
2. The series converges everywhere:

   $$ \lim_{n \to \infty} \frac{x^{2n+1}}{(2n+1)!} = 0 $$
"""
ASKED_WITH_IMAGE = f"What is on this?\n![An icon]({ROOT / 'icon' / 'hearth-128.png'})"
IMAGE = f"""Here is the tide of one day:

![Two waves]({ROOT / "icon" / "hearth-256.png"})

The file is gone, and the web is not asked:

![An old chart](/charts/old.png)

![A map](https://maps.example/tide.png)"""

LISTS = """Before you leave:

- [x] passport
- [x] charger
- [ ] keys to the neighbour

H<sub>2</sub>O boils at 100 °C, and 2<sup>10</sup> is 1,024. ~~Not~~ always.[^1]

[^1]: At sea level."""

_KEPT = tuple(TurnBlock(tokens, "kept") for tokens in (820, 300, 1_240, 610, 2_480, 380, 1_900))
MEMORY = ChatMemoryView(
    "c0",
    "success",
    tr("Ready at once"),
    turns=(*_KEPT, TurnBlock(700, "writing")),
    facts=((tr("Tokens kept"), tr("{part} of {total}", part=12_288, total=12_418)), (tr("On disk"), size(148 << 20))),
    details=((tr("Restored"), duration(40)),),
    can_clear=True,
)
PRESETS = (
    PresetView("precise", tr("Precise"), about=tr("The likeliest words")),
    PresetView("balanced", tr("Balanced"), about=tr("For most questions")),
    PresetView("creative", tr("Creative"), about=tr("More surprise")),
    PresetView("mine", "For letters", own=True),
)
SETTINGS = ChatSettingsView(
    "c0",
    system="You are a patient systems engineer. Answer briefly, with an example.",
    preset_words=tr("Balanced"),
    values=SamplingView(temperature=0.7, top_p=0.95, max_tokens=2_048),
    suggested=SamplingView(temperature=0.6, top_p=0.95),
    own=frozenset({"temperature"}),
    folder="Talks",
    tags=("engine",),
)
QUEUE = QueueView((QueuedView("q0", "And then compare it with the second one."), QueuedView("q1", "Thanks!", 1)))

PAIR = (asked("u0", "And if two tabs ask at the same moment?"), answered("a0", PROSE))
_OF_TEXT = tr("{size} of text", size=size(164_000))
_FOLDER_FILES = plural("{count} file", "{count} files", 12)
_FOLDER_LENGTH = tr("{files}, {missing} left out, {size}", files=_FOLDER_FILES, missing=3, size=size(34_000))
_NOT_TEXT = plural("{count} that is not text", "{count} that are not text", 3)
FILES = (
    AttachmentView("f0", "report.pdf", tr("{size} · {tokens}", size=_OF_TEXT, tokens=token_count(41_200))),
    AttachmentView("f1", "notes.md", size(3 << 10)),
)
FOLDER = AttachmentView("f2", "scheduler", _FOLDER_LENGTH, tr("Left out: {reasons}", reasons=_NOT_TEXT), is_folder=True)
REASONED = answered(
    "a3", "It is **42**.", reasoning="27 + 15: seven and five are twelve, carry one.", thought=thought_line(4)
)
CALL = answered("a4", "It is 14:05 there.", tools=(ToolView("local_time", '{\n  "city": "Lisbon"\n}'),))
STREAMING = answered("a5", PROSE[:212], state=MessageState.OPEN, footer="")
_TOO_LARGE = tr("This conversation takes {need} of memory, and {free} are free", need=size(8 << 30), free=size(3 << 30))
FAILED = answered(
    "a6", "", state=MessageState.FAILED, footer="",
    error=f"{_TOO_LARGE}. {tr('Wait for other answers to end, close other apps, or pick a smaller model.')}",
)  # fmt: skip
STOPPED = answered(
    "a7", "A lighthouse keeper who could not", state=MessageState.STOPPED, footer=f"{token_count(9)} · {tr('Stopped')}"
)
INTERRUPTED = answered(
    "a8",
    "The first thing to know is that",
    state=MessageState.INTERRUPTED,
    footer=f"{token_count(8)} · {tr('Interrupted')}",
)
VERSIONS = answered("a9", "The second of three answers.", place=2, places=3)
_LINE = "{0:03} 2026-09-09 10:12:{1:02} GET /records/{2} 200"
PASTED = asked("u1", "\n".join(_LINE.format(n, n % 60, n * 37) for n in range(120)))


def chat(*messages: MessageView, status: ChatStatus = WARM, **more: object) -> ChatView:
    """The pinned conversation, with these messages."""
    return ChatView("c0", "Prefix cache for shared prompts", messages or PAIR, status=status, **more)  # type: ignore[arg-type] # as the caller names them


_MISSING = f"{tr('Its weights are missing.')} {tr('Get its files again, or remove the folder.')}"


def _listed(name: str, bytes_: float, context: str, more: str = "", **kwargs: object) -> ModelRow:
    """A model with all that its row says."""
    figures = f"{size(int(bytes_))} · {tr('{tokens} context', tokens=context)}"
    detail = " · ".join(filter(None, (tr("Hybrid"), figures, more)))
    return local(name, detail=detail, figures=figures, **kwargs)


LOCAL_MODELS = LocalModelsView(
    (
        _listed("LFM2 2.6B · 8-bit", 3e9, "128k", loaded=True, chats=3),
        _listed("Qwen3.5 9B · 4-bit", 5.7e9, "256k", tr("from your Hugging Face cache")),
        downloading("Falcon-H1 1.5B"),
        downloading("Granite 4 Tiny", DownloadState.PAUSED),
        local("half-a-model", state=ModelState.INCOMPLETE, note=_MISSING),
    ),
    usable=2,
    bytes_=int(7.2 * GB),
)
_DOWNLOADS = tr("{number} downloads", number="12k")
HUB = HubView(
    "lfm",
    tuple(
        remote(
            name, detail=f"mlx-community · {size(bytes_)} · apache-2.0 · {_DOWNLOADS}", figures=size(bytes_), fit=fit
        )
        for name, bytes_, fit in (
            ("Smart-9B", 5 * GB, FITS),
            ("Quick-2B", 2 * GB, FITS),
            ("Huge-120B", 60 * GB, TOO_LARGE),
        )
    ),
)
_MADE_FOR = enumerated([tr(use, "what a model is made for") for use in ("chat", "code", "reasoning", "tool use")])
DETAIL = detail(
    LOCAL_MODELS.rows[0],
    about=plural(
        "Made for {uses}, in {name} and {count} other language.",
        "Made for {uses}, in {name} and {count} other languages.",
        7,
        uses=_MADE_FOR,
        name=tr("English", "spoken"),
    ),
    speed=tr(
        "It reads about {reading:,.0f} and writes about {writing:,.0f} tokens a second here.", reading=2100, writing=96
    ),
)
CARD = """LFM2 is a family of hybrid models for machines that people own. This one has 2.6 billion parameters, and was \
trained on ten trillion tokens in eight languages.

Use it for summaries, letters, short programs and questions about a text. It is not meant for long proofs."""
HUB_DETAIL = detail(HUB.rows[0], card=CARD, settings=None)
_COMPARED = f"{tr('{done} were read again and compared.', done=size(6 * GB))} {tr('No damage was found.')}"


def _backup(time: str) -> str:
    return tr("{time} · {size}", time=tr("Today {time}", time=time), size=size(1 << 20))


def _moment(day: int, time: str) -> str:
    return tr(
        "{date}, {time}", date=present().formats.date(datetime(2026, 11, day, tzinfo=UTC), has_year=True), time=time
    )


RESTORED = tr(
    "All chats are as they were on {day} ({chats}). What was there until now ({replaced}) is the newest copy in "
    "the settings, under Privacy.",
    day=_moment(21, "09:12"),
    chats=plural("{count} chat", "{count} chats", 12),
    replaced=plural("{count} chat", "{count} chats", 14),
)
STORAGE = StorageView(
    held_bytes=6 * GB, quota_bytes=20 * GB, most_bytes=200 * GB, folder="~/Library/Hearth",
    backups=tuple((day, _backup(day)) for day in ("09:12", "07:40")),
    chats=(
        StoredChat(
            "c0", "Prefix cache for shared prompts", 12_418, 148 << 20,
            pinned=True, updated=1_760_600_000_000, shared=58 << 20,
        ),
        StoredChat("c1", "A week in Lisbon", 8_102, 96 << 20, updated=1_760_000_000_000, shared=58 << 20),
        StoredChat("c2", "Letter to the landlord", updated=1_759_000_000_000),
    ),
    check=CheckView(text=_COMPARED), shared_bytes=58 << 20, deleted_bytes=300 << 20, saved_today_s=252,
    saved_s=11_520,
)  # fmt: skip

LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle"
LONG = f"A name that somebody wrote without ever looking at how long it has become: {LONG_WORD}"
ARABIC = (
    asked("u", "كيف أحتفظ بأحدث السجلات فقط؟"),
    answered("a", """اقرأ القائمة **مرة واحدة**، ثم احتفظ بالنتيجة:

1. رتّب السجلات حسب الوقت.
2. خذ أول ثمانية منها:
   - المفاتيح والقيم،
   - الحالة.

> ما يشترك فيه حديثان يُحفظ مرة واحدة.

```python
newest = sorted(records, key=written)[:8]
```

استدعِ `newest(records)` مرة واحدة."""),
)  # fmt: skip
HEBREW = (asked("u", "מה השעה בליסבון?"), answered("a", "השעה שם **14:05**, שעתיים פחות מאשר כאן.\n\n- קיץ\n- חורף"))
RTL_ROWS = (
    ConversationRow("c0", "السجلات الأحدث", "اقرأ القائمة مرة واحدة، ثم احتفظ بالنتيجة", NOW, tags=("عاجل",)),
    ConversationRow("c1", "השעה בליסבון", "השעה שם שעתיים פחות", NOW - timedelta(hours=2)),
    ConversationRow("c2", "A week in Lisbon", "Day three: take the tram to Belém", NOW - timedelta(days=1)),
)
