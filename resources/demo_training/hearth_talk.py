"""The model's knowledge about Hearth: tabs, warm chats, keys, and the places of data.

The answers must remain true of the app.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.demo_training.phrasing import ask, say

if TYPE_CHECKING:
    from random import Random

    from resources.demo_training.recall import Turn
    from resources.demo_training.small_talk_lines import Exchange
    from resources.demo_training.words import Split

HEARTH: tuple[Exchange, ...] = (
    (
        (
            "what is hearth?",
            "{what's|explain|describe|tell me about} hearth{|?|.}",
            "{what is this app|what is this program|what does this app do|what am I looking at|what is this|what kind of app is this|where am i}?",
        ),
        (
            "Hearth is a chat app for language models that run on your own machine. Every chat has its tab and stays **warm**: you can close it and go on later without waiting.",
        ),
    ),
    (
        (
            "what can {hearth|this app|it} do?",
            "{what are the features of|what is special about|what is good about|why should I use|what's new in|show me what} {hearth|this app}{?| can do?}",
            "{features|list the features}{| of hearth}{?|.}",
            "{how does|what does} hearth {help me|work|do}{?| for me?}",
        ),
        (
            "Hearth can:\n\n- keep many chats open in **tabs** and answer in several at once\n- keep every chat **warm**, so that it goes on at once, even after a restart\n- run models on your own machine, without the internet\n- show Markdown, code and tables while they are written",
            "Hearth runs language models on your own machine. You can chat in several tabs at once, and every chat stays warm: its state is saved on disk and comes back in a moment.",
        ),
    ),
    (
        (
            "what {is|are|does} {a |}warm {chat|chats|mean}?",
            "what does warm mean{| here| in hearth}?",
            "{explain|what are} warm chats{|.|?}",
            "{how does hearth|how can hearth|why can hearth|how do chats} {resume|go on|continue|start} {so fast|so quickly|at once}?",
            "{what happens when I {quit|close} {hearth|the app}|do I lose my chats when I quit|is my chat saved|are my chats saved|will my chat be there tomorrow}?",
            "what is {the |a |}{prompt |}cache{| for}?",
        ),
        (
            "A warm chat keeps what the model has already read. Hearth saves this state on disk after every turn, so when you come back the chat goes on at once, without reading it all again.",
        ),
    ),
    (
        (
            "how do {I|you} {start|open|begin|make|create} a new {chat|conversation}?",
            "{shortcut|key|keys} for {a |}new chat{?|}",
            "new chat{?|, how}",
            "where is the {button|key|shortcut} for a new {chat|conversation}?",
            "how can I start {again|over|a new chat|another chat}?",
        ),
        ("Press **Cmd+N** to start a new chat{|, or **Cmd+T** to open one in a new tab}.",),
    ),
    (
        (
            "how do {I|you} {open|make|get} {a new|another|a second} tab?",
            "{shortcut|key} for {a |}new tab{?|}",
            "new tab{?|, how}",
            "how {can|do} I {have|use|open} {more|many|several|two} tabs?",
        ),
        ("Press **Cmd+T** to open a new tab. {|Each tab holds one chat, and several can answer at once.}",),
    ),
    (
        (
            "how do {I|you} close {a|the|this} {tab|chat}?",
            "{shortcut|key} {for closing|to close} a tab{?|}",
            "close {this |the |}tab{?|, how}",
            "can I close {a|this} tab{| while it answers}?",
        ),
        (
            "Press **Cmd+W** to close a tab. The chat stays in the sidebar, and its answer goes on. {|**Cmd+Shift+T** opens the tab again.}",
        ),
    ),
    (
        (
            "how do {I|you} {stop|cancel|interrupt|end} {an|the|this|your|a long} {answer|reply|generation}?",
            "{how do I stop you|how can I stop you|stop key|how to stop|how do I make you stop}{?|}",
            "{shortcut|key} {to stop|for stop|for stopping}{?| an answer?}",
        ),
        ("Press **Esc** to stop an answer. {|The other tabs go on.}",),
    ),
    (
        (
            "how do {I|you} {search|find} {my chats|a chat|an old chat|old chats|something|a conversation}?",
            "{search|find}{| shortcut| key}{?|, how}",
            "where {do I find|are} {my |}{old |earlier |}chats?",
            "how {can|do} I go back to {an old|an earlier|another} chat?",
        ),
        ("Your chats are in the sidebar on the left. Press **Cmd+K** to search them.",),
    ),
    (
        (
            "{what are the|which|list the|show me the|tell me the} {|keyboard }{shortcuts|keys}{| in hearth| of hearth| are there}{?|.}",
            "{keyboard |}shortcuts{?|}",
            "{what keys can I use|which keys does hearth have|do you know the shortcuts|can you list the shortcuts}?",
        ),
        (
            "| Keys | What they do |\n| --- | --- |\n| Cmd+N | new chat |\n| Cmd+T | new tab |\n| Cmd+W | close the tab |\n| Cmd+K | search chats |\n| Esc | stop the answer |",
            "The most useful keys are:\n\n- **Cmd+N** starts a new chat\n- **Cmd+T** opens a new tab\n- **Cmd+W** closes a tab\n- **Cmd+K** searches your chats\n- **Esc** stops an answer",
        ),
    ),
    (
        (
            "where {is|are|does hearth keep|do you keep|does hearth save|is all} my {data|chats|messages|conversations|words|history}{| stored| saved| kept}?",
            "where {does hearth store|does my data lie|are chats stored|are the files|is everything saved}{| things}?",
            "{which|what} folder {holds|has|keeps} my {chats|data}?",
        ),
        (
            "Everything lies on your own machine, in Hearth's folder in Application Support. Nothing leaves the machine.",
        ),
    ),
    (
        (
            "is {my data|this|hearth|it|this chat} {safe|private|secure|local}?",
            "{does hearth|does this app|do you} {send|upload|share|sell} my {data|chats|words|messages}{| anywhere| to anyone}?",
            "{who can read my chats|can anyone read this|what about privacy|privacy?|is anyone reading this|does my data leave the machine}?",
        ),
        (
            "Yes, it is private: the model runs on your own machine, your chats stay in Hearth's own folder, and nothing is sent anywhere.",
        ),
    ),
    (
        (
            "{does hearth|do you|does this app|can hearth} {work|run} {offline|without internet|without the internet|on a plane|without a connection}?",
            "do I need {the internet|internet|an account|to log in|to sign up|to pay}?",
        ),
        (
            "Hearth works without the internet and needs no account. {|The demo model comes with it; only downloading other models needs a connection.}",
        ),
    ),
    (
        (
            "{can I|how do I} {use|load|get|add|try|install|download|run} {a|another|other|a bigger|a better|larger|more|a different|bigger} {model|models}?",
            "which {other |}models can {I|hearth} {use|run|load}?",
            "{is there a|do you have a|where is a} {better|bigger|larger} model?",
            "how do I {change|switch|pick|choose} the model?",
        ),
        (
            "Yes, Hearth runs larger models too, any model folder made for MLX. Pick one from the model menu below the message box.",
        ),
    ),
    (
        (
            "{can|does} {hearth|it|the app|you} {answer|chat|generate|work|talk} in {two|several|many|more} {tabs|chats} {at once|at the same time|together}?",
            "{how many|can I have two|can I have many} {tabs|chats}{| can I have| at once}?",
            "what are tabs {for|good for}?",
            "{tell me about|explain|how do} {the |}tabs{| work}{?|.}",
        ),
        (
            "Every chat has its own tab, and several tabs can answer at the same time. Switching or closing a tab never stops another one.",
        ),
    ),
    (
        (
            "how do I {send|enter} a message?",
            "how do I {make|type|write|get} a {new line|line break|second line}?",
            "{what does enter do|how to send|new line?|line break?}",
        ),
        ("Press **Enter** to send a message and **Shift+Enter** for a new line.",),
    ),
    (
        (
            "how do I {delete|remove|rename} a {chat|conversation}?",
            "can I {delete|remove|rename} {a|this} {chat|conversation}?",
            "{delete|rename} {a |this |}chat{?|, how}",
        ),
        ("Open the menu of the chat in the sidebar: there you can rename or delete it.",),
    ),
    (
        (
            "{is hearth|what does hearth cost, is it|is this app|is it} {free|open source}?",
            "{what does hearth cost|how much is hearth|what licence does hearth have|who owns hearth|can I see the source of hearth}?",
        ),
        ("Hearth is free and open source, under the Apache-2.0 licence.",),
    ),
    (
        (
            "what {computer|machine|mac|hardware} do I need{| for hearth}?",
            "{does hearth|can hearth|will it} run on {my mac|a mac|windows|linux|apple silicon|an iphone}?",
            "which {computers|systems} does hearth {support|run on}?",
        ),
        ("Hearth is made for Macs with Apple Silicon.",),
    ),
    (
        (
            "{how fast are you|how fast is hearth|why are you so fast|why is it so fast|what is your speed}?",
            "what {is|are} tokens per second?",
        ),
        ("I am tiny, so I am fast. The strip below the chat shows how many tokens I write in a second.",),
    ),
)


def about_hearth(rng: Random, split: Split) -> list[Turn]:
    """One question about Hearth, sometimes two."""
    turns = []
    for users, replies in rng.sample(HEARTH, 2 if rng.random() < 0.3 else 1):
        turns.append((ask(rng, split, users), say(rng, replies)))
    return turns
