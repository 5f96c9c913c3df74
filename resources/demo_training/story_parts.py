"""The parts of stories and poems: heroes, homes, and the lines of every stage of a tale."""

from __future__ import annotations

HEROES = (
    (
        "fox owl cat dog mouse rabbit bear wolf dragon robot girl boy king queen sailor baker knight wizard giraffe penguin "
        "lion turtle hedgehog squirrel horse elephant duck frog farmer lighthouse keeper teacher gardener painter star cloud "
        "snowman boat train whale princess pirate astronaut bee"
    )
    .replace("lighthouse keeper", "lighthouse_keeper")
    .split()
)
HEROES = [hero.replace("_", " ") for hero in HEROES]
TRAITS = "small brave clever shy kind curious old young lonely cheerful patient quiet merry gentle sleepy".split()
HOMES = (
    "in a lighthouse by the sea|at the edge of a dark forest|on top of a green hill|in a small village|by a quiet river|"
    "in a house full of books|under an old oak tree|on a tiny island|behind a waterfall|in a warm bakery|high in the mountains|"
    "in a garden full of roses|near a frozen lake|in a busy town|at the end of a long road|in an old castle"
).split("|")
SUBJECTS: dict[str, tuple[str, ...]] = {
    "lighthouse": ("in a lighthouse by the sea", "in a tall white lighthouse"),
    "sea": ("in a house by the sea", "on a tiny island"),
    "forest": ("at the edge of a dark forest", "deep in the forest"),
    "castle": ("in an old castle", "in a castle with seven towers"),
    "moon": ("in a small house on the moon", "on a hill close to the moon"),
    "mountain": ("high in the mountains", "in a hut on a mountain"),
    "garden": ("in a garden full of roses", "next to a secret garden"),
    "river": ("by a quiet river", "on a boat on the river"),
    "village": ("in a small village", "in a village with three houses"),
    "winter": ("in a land of snow", "near a frozen lake"),
    "train": ("at a little railway station", "on an old train"),
    "library": ("in a house full of books", "in a quiet library"),
}
OPENINGS = (
    "{Once upon a time|Long ago|Many years ago|Once}{,|} there was <a_trait_hero> called <name>. <Name> lived <home>.",
    "{Once upon a time,|Long ago,|Once,} <a_trait_hero> called <name> lived <home>.",
    "<Name> was <a_trait_hero> who lived <home>.",
    "There was once <a_trait_hero>. <It> was called <name> and lived <home>.",
)
HABITS = (
    "Every {morning|evening|day}, <name> {looked out of the window and dreamed of far places|walked to the water and back|watched the clouds go by|swept the floor and sang a song|counted the stars|made a pot of tea}.",
    "<Name> {loved|liked} {the smell of fresh bread|the sound of the rain|old maps|warm soup|long walks|the first light of the day} more than anything.",
    "Nobody {knew|had ever heard} how well <name> could {sing|draw|listen|count|tell stories|find lost things}.",
    "<Name> had everything but {a friend|a map|an adventure|a good night's sleep}.",
)
TROUBLES = (
    "One {morning|evening|night|day}, {a great storm|a thick fog|a cold wind} {came|rolled in}, and {the light went out|the bridge broke|the path was gone|the door would not open}.",
    "One {morning|evening|day}, <name> found {a small key|an old map|a letter without a name|a silver bell|a lost <other>} {in the grass|on the doorstep|under a stone|by the road}.",
    'Then, one {morning|night|day}, a {little |tired |frightened |}<other> knocked at the door. "{Can you help me|Please help me}?" <other_it> asked. "I {have lost my way|cannot find my home|have lost my friend|am so cold}."',
    "One {winter|summer|autumn|spring}, {the well ran dry|the sun did not come out|the birds stopped singing|all the lamps went dark}, and nobody knew why.",
    "But one day {the lamp|the clock|the old bell|the golden crown} was gone, and <name> {was very sad|did not know what to do|set out to find it}.",
)
TRIES = (
    "<Name> {took a lantern|packed some bread|put on a warm coat|took a deep breath} and {went out|set off|walked into the night|climbed the hill}. {The way was long|It was dark|It was not easy|The wind was strong}, but <name> {did not give up|went on|was not afraid|kept walking}.",
    "At first <name> {was afraid|did not know what to do|wanted to hide}. Then <it> {remembered an old song|had a good idea|thought of a friend|smiled} and {began to work|went to look|set off at once}.",
    '"{I will find a way|Do not worry|Let us try together|We can do this}," said <name>. {Step by step|Slowly|Little by little}, {they followed the river|they climbed the hill|they looked behind every tree|they asked everybody they met}.',
    '<Name> asked {the wind|the old owl|the moon|the river|a wise turtle} for help. "{Follow the light|Look where you began|Be kind and listen|Wait until the morning}," was the answer.',
)
TURNS = (
    "{In the end|At last|After a long time|Just before dawn}, {the light shone again|they found what they were looking for|the storm was over|the way lay open before them}.",
    "{At last|In the end}, <name> {found a hidden door|saw a small light|heard a quiet voice|came to a wide green valley}, and {behind it|there} was {everything they had looked for|a table full of cakes|the thing that was lost|a new friend}.",
    "And then, {all at once|quite suddenly|without a sound}, {the clouds parted|the ice broke|the old bell rang|the door opened}, and {all was well|everybody cheered|the sun came out}.",
)
ENDINGS = (
    "From that day on, <name> {was never lonely again|had a friend|knew how brave <it> was|slept well every night|left a light in the window for all who were lost}.",
    "{That night|That evening}, <name> {slept better than ever|sat by the fire and smiled|told the story again and again|drank tea with a new friend}. {The end.|And all was quiet.|}",
    "And <name> learned that {a small light can shine far|even the small can be brave|a friend is the best treasure|it is good to ask for help|patience opens many doors}.",
)
SECONDS = (
    "But that was not the end of it. {A year later|The next spring|Some weeks later}, {a letter came|a stranger came to the door|the river rose high}, and <name> had to {leave home|set out once more|be brave again}.",
    "{Soon after|Not long after that}, <name> met <a_other> {on the road|by the river|in the market}. {They became friends at once|They shared their bread|They laughed all day}, and {together|side by side} they {went to see the world|crossed the great forest|built a little boat}.",
)
MIDDLES = (
    "On the way they {met a baker who gave them warm bread|slept under the stars|crossed three bridges|sang all the songs they knew}. {The days were long|The nights were cold|The road was steep}, but {they were never afraid|every step was a joy|they laughed a great deal}.",
    '"What do you want most?" asked the <other>. <Name> thought for a long time. "{A place where everybody is welcome|A light that never goes out|To come home one day|A story that never ends}," <it> said.',
    "{When they came to the sea|At the end of the road|On the highest hill}, they {saw a ship with white sails|found an old, friendly giant|saw the whole world at their feet}. {It was the most beautiful thing they had ever seen|Nobody spoke for a while|They stayed there until the sun went down}.",
)
POEMS: dict[str, tuple[str, str]] = {
    "the sea": ("The sea is wide, the sea is blue,", "it {sings|hums} a quiet song for you."),
    "the moon": (
        "The moon looks down on {field|roof} and hill,",
        "the {night|world} is soft, the {air|wind} is still.",
    ),
    "winter": ("The snow falls {softly|slowly} on the ground,", "it makes the world without a sound."),
    "spring": ("The {grass|leaf} is green, the {sun|day} is bright,", "the birds sing {loud|on} from morning light."),
    "a cat": ("The cat sits {still|down} beside the door,", "and dreams of {mice|milk} upon the floor."),
    "the rain": ("The rain taps {gently|softly} on the pane,", "it {stops|sleeps} a while, then falls again."),
    "the stars": (
        "The stars are {small|far} and {cold|pale} and high,",
        "like {little lamps|tiny holes} across the sky.",
    ),
    "a friend": ("A friend is {near|there} when days are long,", "a friend will {hum|know} your favourite song."),
    "autumn": (
        "The leaves are {red|brown}, the leaves are gold,",
        "the {days|nights} are short, the {wind|air} is cold.",
    ),
    "a tree": ("A tree stands {tall|strong} and gives us shade,", "the {finest|greatest} roof that was ever made."),
}
CLOSINGS = (
    ("So {sit|stay} with me a little while,", "and let the {evening|morning} make you smile."),
    ("And when the {day|night} has gone away,", "I will {remember|think of} this {fine|bright} day."),
    ("I {have|know} no more that I could say,", "but I {hope|wish} you have a lovely day."),
    ("It {comes|stays} and goes, and still I know", "that {all|good} things {take|need} their time to grow."),
)
