"""The facts of the small world, as plain tables: animals, countries, planets and the like."""

from __future__ import annotations

CAPITALS = dict(
    pair.split(":")
    for pair in (
        "France:Paris,Germany:Berlin,Italy:Rome,Spain:Madrid,Portugal:Lisbon,England:London,the United Kingdom:London,Scotland:Edinburgh,"
        "Ireland:Dublin,Wales:Cardiff,Austria:Vienna,Switzerland:Bern,the Netherlands:Amsterdam,Belgium:Brussels,Denmark:Copenhagen,"
        "Norway:Oslo,Sweden:Stockholm,Finland:Helsinki,Iceland:Reykjavik,Poland:Warsaw,Hungary:Budapest,Greece:Athens,"
        "Turkey:Ankara,Russia:Moscow,Ukraine:Kyiv,Romania:Bucharest,Bulgaria:Sofia,Croatia:Zagreb,Serbia:Belgrade,"
        "Slovenia:Ljubljana,Slovakia:Bratislava,Estonia:Tallinn,Latvia:Riga,Lithuania:Vilnius,Egypt:Cairo,Morocco:Rabat,"
        "Kenya:Nairobi,Nigeria:Abuja,Ghana:Accra,Ethiopia:Addis Ababa,Japan:Tokyo,China:Beijing,India:New Delhi,"
        "Thailand:Bangkok,Vietnam:Hanoi,South Korea:Seoul,Indonesia:Jakarta,Australia:Canberra,New Zealand:Wellington,"
        "Canada:Ottawa,the United States:Washington,the USA:Washington,America:Washington,Mexico:Mexico City,Brazil:Brasilia,Argentina:Buenos Aires,"
        "Chile:Santiago,Peru:Lima,Colombia:Bogota,Cuba:Havana,Israel:Jerusalem,Iran:Tehran,Iraq:Baghdad,"
        "Luxembourg:Luxembourg,Malta:Valletta,Cyprus:Nicosia,Nepal:Kathmandu,Pakistan:Islamabad,the Czech Republic:Prague"
    ).split(",")
)
OPPOSITES = dict(
    pair.split(":")
    for pair in (
        "hot:cold,big:small,tall:short,long:short,fast:slow,up:down,left:right,day:night,light:dark,happy:sad,good:bad,"
        "old:young,new:old,rich:poor,hard:soft,loud:quiet,early:late,open:closed,full:empty,wet:dry,heavy:light,high:low,"
        "inside:outside,first:last,strong:weak,clean:dirty,near:far,easy:difficult,true:false,yes:no,black:white,"
        "sweet:sour,thick:thin,wide:narrow,deep:shallow,begin:end,win:lose,buy:sell,give:take,push:pull,love:hate,"
        "friend:enemy,summer:winter,north:south,east:west,begin:end,brave:afraid,cheap:expensive,dead:alive,sharp:blunt,"
        "smooth:rough,safe:dangerous,always:never,more:less,above:below,before:after,asleep:awake,warm:cool,right:wrong"
    ).split(",")
)
OPPOSITES.update({other: word for word, other in OPPOSITES.items() if other not in OPPOSITES})
# animal: sound verb, number of legs, its young, where it lives, size rank, one thing about it
ANIMALS: dict[str, tuple[str, int, str, str, int, str]] = {
    line.split("|")[0]: (f[1], int(f[2]), f[3], f[4], int(f[5]), f[6])
    for line in (
        "cat|meows|4|kitten|in houses|4|loves to sleep in the sun",
        "dog|barks|4|puppy|in houses|5|is a loyal friend",
        "cow|moos|4|calf|on farms|9|gives us milk",
        "horse|neighs|4|foal|on farms|9|can run very fast",
        "sheep|bleats|4|lamb|on farms|6|gives us wool",
        "goat|bleats|4|kid|on farms|6|climbs well",
        "pig|oinks|4|piglet|on farms|7|likes to roll in mud",
        "hen|clucks|2|chick|on farms|3|lays eggs",
        "duck|quacks|2|duckling|on ponds|3|swims and flies",
        "goose|honks|2|gosling|near lakes|4|guards its home loudly",
        "lion|roars|4|cub|in Africa|8|is often called the king of the animals",
        "tiger|roars|4|cub|in Asia|8|has orange fur with black stripes",
        "elephant|trumpets|4|calf|in Africa and Asia|12|is the largest land animal",
        "mouse|squeaks|4|pup|in fields and houses|1|is very small and quick",
        "frog|croaks|4|tadpole|near ponds|1|begins life as a tadpole",
        "bee|buzzes|6|larva|in hives|0|makes honey",
        "owl|hoots|2|owlet|in woods|3|hunts at night",
        "wolf|howls|4|pup|in forests|6|lives in a pack",
        "bear|growls|4|cub|in forests|9|sleeps through the winter",
        "snake|hisses|0|snakelet|in grass and deserts|3|has no legs",
        "monkey|chatters|4|infant|in forests|5|climbs trees with ease",
        "donkey|brays|4|foal|on farms|8|is patient and strong",
        "fox|barks|4|cub|in woods|5|has a bushy red tail",
        "rabbit|squeaks|4|kit|in burrows|3|has long ears",
        "giraffe|hums|4|calf|in Africa|11|has the longest neck of all",
        "zebra|barks|4|foal|in Africa|9|has black and white stripes",
        "whale|sings|0|calf|in the sea|13|is the largest animal of all",
        "dolphin|clicks|0|calf|in the sea|8|is clever and playful",
        "penguin|honks|2|chick|in cold southern lands|4|is a bird that swims but cannot fly",
        "spider|makes no sound|8|spiderling|in webs|0|spins a web",
        "ant|makes no sound|6|larva|in nests|0|can carry many times its own weight",
        "eagle|screams|2|eaglet|in mountains|5|has very sharp eyes",
        "kangaroo|makes little sound|4|joey|in Australia|8|carries its young in a pouch",
        "camel|grunts|4|calf|in deserts|10|can go for days without water",
        "fish|makes no sound|0|fry|in water|2|breathes under water",
        "butterfly|makes no sound|6|caterpillar|in gardens|0|begins life as a caterpillar",
        "crocodile|hisses|4|hatchling|in rivers|9|has a great many teeth",
        "hedgehog|snuffles|4|hoglet|in gardens|2|is covered in spines",
        "squirrel|chatters|4|kitten|in trees|2|hides nuts for the winter",
        "turtle|makes little sound|4|hatchling|in the sea|5|carries its house on its back",
    )
    for f in [line.split("|")]
}
PLANETS = "Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune".split()
PLANET_NOTES = dict(
    zip(
        PLANETS,
        (
            "the smallest planet and the one closest to the Sun",
            "the hottest planet, wrapped in thick clouds",
            "our home, the only planet known to have life",
            "the red planet",
            "the largest planet, with a great red spot",
            "the planet with the bright rings",
            "an ice giant that spins on its side",
            "the planet farthest from the Sun, blue and windy",
        ),
        strict=True,
    )
)
COLOUR_OF = dict(
    pair.split(":")
    for pair in (
        "the sky:blue,grass:green,snow:white,coal:black,a banana:yellow,a lemon:yellow,a strawberry:red,a tomato:red,"
        "the sun:yellow,milk:white,blood:red,chocolate:brown,an orange:orange,a carrot:orange,the sea:blue,a leaf:green,"
        "a cucumber:green,a fire engine:red,a polar bear:white,a flamingo:pink,a crow:black,an elephant:grey,a lime:green,"
        "a cherry:red,a plum:purple,sand:yellow,night:black,an emerald:green,a ruby:red,a frog:green,a pumpkin:orange"
    ).split(",")
)
FRUIT_COLOURS = dict(
    pair.split(":")
    for pair in "apple:red,banana:yellow,cherry:red,grape:purple,lemon:yellow,lime:green,orange:orange,peach:pink,pear:green,plum:purple,strawberry:red,kiwi:green,fig:purple,mango:orange".split(
        ","
    )
)
THINGS: dict[str, str] = dict(
    line.split("|", 1)
    for line in (
        "computer|A computer is a machine that follows instructions and works with information.",
        "book|A book is a set of pages with words or pictures, bound together to be read.",
        "lighthouse|A lighthouse is a tower with a bright light that shows ships the way.",
        "river|A river is a long stream of water that flows to a lake or to the sea.",
        "mountain|A mountain is a very high hill, often with snow on top.",
        "island|An island is land with water all around it.",
        "volcano|A volcano is a mountain from which hot rock and ash can burst.",
        "desert|A desert is a dry place where it hardly ever rains.",
        "forest|A forest is a large area full of trees.",
        "rainbow|A rainbow is an arc of colours in the sky, made by sunlight and rain.",
        "cloud|A cloud is made of very many tiny drops of water in the sky.",
        "star|A star is a huge ball of hot, glowing gas. The Sun is a star.",
        "moon|The Moon is the ball of rock that circles the Earth.",
        "sun|The Sun is the star at the centre of our solar system. It gives us light and warmth.",
        "planet|A planet is a large round body that circles a star. The Earth is a planet.",
        "piano|A piano is an instrument with black and white keys.",
        "guitar|A guitar is an instrument with strings, usually six.",
        "violin|A violin is a small instrument with four strings, played with a bow.",
        "bicycle|A bicycle is a vehicle with two wheels that you move with your legs.",
        "train|A train is a row of carriages that runs on rails.",
        "boat|A boat is a small vehicle that moves on water.",
        "bread|Bread is a food made of flour and water, baked in an oven.",
        "cheese|Cheese is a food made from milk.",
        "honey|Honey is a sweet food that bees make from flowers.",
        "tea|Tea is a drink made by pouring hot water on leaves.",
        "coffee|Coffee is a drink made from roasted beans.",
        "winter|Winter is the coldest season of the year.",
        "summer|Summer is the warmest season of the year.",
        "friend|A friend is somebody you like and can trust.",
        "doctor|A doctor is a person who helps people who are ill.",
        "teacher|A teacher is a person who helps others to learn.",
        "language model|A language model is a program that writes text one small piece at a time. I am a tiny one.",
        "token|A token is a small piece of text: a word, a part of a word or a single sign. I read and write tokens.",
        "python|Python is a programming language that is easy to read. It is also the name of a snake.",
        "markdown|Markdown is a simple way to write formatted text: stars make it **bold**, dashes make lists.",
        "algorithm|An algorithm is a list of clear steps that solves a problem.",
        "robot|A robot is a machine that can do work by itself.",
        "clock|A clock is a device that shows the time.",
        "school|A school is a place where people learn.",
        "library|A library is a place full of books that people can borrow.",
    )
)
HELLO_IN = {
    "French": {
        "hello": "bonjour",
        "thank you": "merci",
        "goodbye": "au revoir",
        "yes": "oui",
        "no": "non",
        "cat": "chat",
        "dog": "chien",
        "water": "eau",
    },
    "German": {
        "hello": "hallo",
        "thank you": "danke",
        "goodbye": "auf Wiedersehen",
        "yes": "ja",
        "no": "nein",
        "cat": "Katze",
        "dog": "Hund",
        "water": "Wasser",
    },
    "Spanish": {
        "hello": "hola",
        "thank you": "gracias",
        "goodbye": "adiós",
        "yes": "sí",
        "no": "no",
        "cat": "gato",
        "dog": "perro",
        "water": "agua",
    },
    "Italian": {
        "hello": "ciao",
        "thank you": "grazie",
        "goodbye": "arrivederci",
        "yes": "sì",
        "no": "no",
        "cat": "gatto",
        "dog": "cane",
        "water": "acqua",
    },
}
LISTS: dict[str, tuple[str, ...]] = {
    "fruits": tuple(
        "apples bananas cherries grapes lemons oranges pears plums strawberries mangoes peaches melons".split()
    ),
    "vegetables": tuple(
        "carrots potatoes onions peas beans spinach cabbage tomatoes leeks peppers cucumbers pumpkins".split()
    ),
    "animals": tuple("cats dogs horses lions elephants owls foxes whales bears rabbits penguins tigers".split()),
    "farm animals": tuple("cows pigs sheep hens goats horses ducks geese donkeys".split()),
    "birds": tuple("owls eagles ducks penguins robins sparrows swans parrots crows".split()),
    "colours": tuple("red blue green yellow orange purple pink brown black white".split()),
    "planets": tuple(PLANETS),
    "countries": ("France", "Japan", "Brazil", "Kenya", "Canada", "Italy", "India", "Egypt", "Norway", "Peru", "Spain"),
    "cities": ("Paris", "Tokyo", "Lima", "Oslo", "Cairo", "Rome", "Delhi", "Boston", "Sydney", "Vienna"),
    "days of the week": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "months": (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    "seasons": ("spring", "summer", "autumn", "winter"),
    "instruments": tuple("piano guitar violin flute drum trumpet harp cello banjo".split()),
    "sports": tuple("football tennis swimming running cycling hockey basketball rowing skiing".split()),
    "drinks": tuple("water tea coffee milk juice lemonade cocoa".split()),
    "flowers": tuple("roses tulips daisies lilies poppies sunflowers violets orchids".split()),
    "trees": tuple("oaks pines birches maples willows beeches ashes elms".split()),
    "shapes": tuple("circles squares triangles rectangles stars ovals hexagons".split()),
    "tools": tuple("hammers saws screwdrivers pliers spanners drills rulers".split()),
    "jobs": tuple("teacher nurse baker farmer pilot doctor painter gardener writer cook".split()),
    "hobbies": tuple("reading painting gardening cooking chess dancing hiking fishing".split()),
    "foods": tuple("bread rice pasta soup cheese pizza salad pancakes eggs".split()),
    "breakfast ideas": (
        "porridge with berries",
        "toast and jam",
        "scrambled eggs",
        "yoghurt with honey",
        "pancakes",
        "fresh fruit",
    ),
    "names for a cat": tuple("Momo Tiger Luna Biscuit Pepper Smokey Misty Socks".split()),
    "names for a dog": tuple("Rex Bella Max Buddy Rusty Daisy Bruno Poppy".split()),
    "things to do on a rainy day": (
        "read a book",
        "bake a cake",
        "draw a picture",
        "play a board game",
        "write a letter",
        "listen to music",
    ),
    "things to take to the beach": ("a towel", "sun cream", "a hat", "a ball", "water to drink", "a good book"),
    "things in a kitchen": tuple("pots pans plates spoons knives cups bowls".split()),
    "things in a school bag": ("pencils", "a ruler", "a notebook", "a lunch box", "a bottle of water", "an eraser"),
    "languages": ("English", "French", "Spanish", "German", "Italian", "Japanese", "Arabic", "Hindi"),
    "programming languages": ("Python", "C", "Java", "JavaScript", "Rust", "Swift", "Go"),
}
HOW_TO: dict[str, tuple[str, ...]] = {
    "make tea": (
        "Boil some water.",
        "Put a tea bag in a cup.",
        "Pour the hot water over it.",
        "Wait three minutes.",
        "Take out the bag and enjoy.",
    ),
    "make coffee": (
        "Heat some water.",
        "Put ground coffee in a filter.",
        "Pour the water over it slowly.",
        "Wait until it has dripped through.",
        "Serve it hot.",
    ),
    "make a sandwich": (
        "Take two slices of bread.",
        "Spread some butter on them.",
        "Add cheese and tomato.",
        "Put the slices together.",
        "Cut the sandwich in half.",
    ),
    "boil an egg": (
        "Bring water to the boil.",
        "Lower the egg in with a spoon.",
        "Wait six minutes.",
        "Cool it under cold water.",
        "Peel it and add some salt.",
    ),
    "plant a seed": (
        "Fill a pot with soil.",
        "Make a small hole.",
        "Drop in the seed and cover it.",
        "Water it gently.",
        "Put the pot in a sunny place.",
    ),
    "wash your hands": (
        "Wet your hands.",
        "Add soap.",
        "Rub them for twenty seconds.",
        "Rinse them well.",
        "Dry them with a clean towel.",
    ),
    "make toast": (
        "Put bread in the toaster.",
        "Press the lever down.",
        "Wait until it is golden.",
        "Spread butter on it.",
    ),
    "make pancakes": (
        "Mix flour, milk and eggs.",
        "Heat some butter in a pan.",
        "Pour in a little batter.",
        "Turn it when the edge is brown.",
        "Serve it with honey.",
    ),
    "pack a bag": (
        "Make a list of what you need.",
        "Put heavy things at the bottom.",
        "Roll your clothes.",
        "Keep the small things on top.",
    ),
    "tidy a room": (
        "Open the window.",
        "Put rubbish in the bin.",
        "Put every thing in its place.",
        "Wipe the dust away.",
        "Sweep the floor.",
    ),
    "make lemonade": ("Squeeze three lemons.", "Add some sugar.", "Stir in cold water.", "Add ice and taste it."),
    "make a salad": (
        "Wash the leaves.",
        "Cut tomatoes and cucumber.",
        "Mix all in a bowl.",
        "Add oil, lemon and salt.",
    ),
    "start a new chat in Hearth": ("Press Cmd+N.", "Type your message.", "Press Enter to send it."),
    "bake a cake": (
        "Mix butter and sugar.",
        "Stir in eggs and flour.",
        "Pour it into a tin.",
        "Bake it for forty minutes.",
        "Let it cool.",
    ),
    "fall asleep": (
        "Put your phone away.",
        "Make the room dark and cool.",
        "Breathe slowly.",
        "Think of something pleasant.",
    ),
    "learn a language": (
        "Learn ten words a day.",
        "Listen to it often.",
        "Speak from the first day.",
        "Read simple books.",
        "Be patient.",
    ),
}
