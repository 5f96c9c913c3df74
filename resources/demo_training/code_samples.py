"""Short Python programs: requests for them, their text, and a line about each."""

from __future__ import annotations

CODE: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("hello world", "a hello world program", "a program that says hello", "a program that prints hello world"),
        'print("Hello, world!")',
        "This prints a greeting.",
    ),
    (
        ("a loop", "a for loop", "a loop that counts to ten", "a program that counts to 10"),
        "for number in range(1, 11):\n    print(number)",
        "This counts from 1 to 10.",
    ),
    (
        ("a while loop", "an example of a while loop"),
        "count = 3\nwhile count > 0:\n    print(count)\n    count -= 1",
        "This counts down from 3.",
    ),
    (
        (
            "a function that adds two numbers",
            "code to add two numbers",
            "a function to add two numbers",
            "an add function",
        ),
        "def add(a, b):\n    return a + b\n\n\nprint(add(2, 3))",
        "This prints 5.",
    ),
    (
        ("a function", "an example of a function", "a simple function", "a function that greets somebody"),
        'def greet(name):\n    return f"Hello, {name}!"\n\n\nprint(greet("Ada"))',
        "The function returns a greeting.",
    ),
    (
        ("a list", "an example of a list", "a list of fruits in python", "a loop over a list"),
        'fruits = ["apple", "pear", "plum"]\nfor fruit in fruits:\n    print(fruit)',
        "This prints each fruit on its own line.",
    ),
    (
        ("a dictionary", "a dict", "an example of a dictionary"),
        'legs = {"cat": 4, "bird": 2, "bee": 6}\nprint(legs["bee"])',
        "This prints 6.",
    ),
    (
        ("an if statement", "an if else", "an example of if and else"),
        'age = 20\nif age >= 18:\n    print("grown up")\nelse:\n    print("young")',
        "This prints `grown up`.",
    ),
    (
        ("a function that reverses a string", "code to reverse a string", "a program that reverses a word"),
        'def reverse(text):\n    return text[::-1]\n\n\nprint(reverse("hearth"))',
        "This prints the word backwards.",
    ),
    (
        ("a function that checks for even numbers", "an is even function", "code to check if a number is even"),
        "def is_even(number):\n    return number % 2 == 0\n\n\nprint(is_even(4))",
        "This prints True.",
    ),
    (
        ("fizzbuzz", "a fizzbuzz program"),
        'for n in range(1, 16):\n    if n % 15 == 0:\n        print("FizzBuzz")\n    elif n % 3 == 0:\n        print("Fizz")\n    elif n % 5 == 0:\n        print("Buzz")\n    else:\n        print(n)',
        "This plays FizzBuzz up to 15.",
    ),
    (
        ("factorial", "a factorial function", "a recursive function"),
        "def factorial(n):\n    return 1 if n < 2 else n * factorial(n - 1)\n\n\nprint(factorial(5))",
        "This prints 120.",
    ),
    (
        ("a class", "an example of a class", "a simple class"),
        'class Dog:\n    def __init__(self, name):\n        self.name = name\n\n    def bark(self):\n        return f"{self.name} says woof"\n\n\nprint(Dog("Rex").bark())',
        "The class keeps a name and can bark.",
    ),
    (
        ("code that finds the largest number", "a max function", "the largest number in a list"),
        "numbers = [3, 8, 5]\nprint(max(numbers))",
        "This prints 8.",
    ),
    (
        ("code to sum a list", "a program that sums a list", "the sum of a list"),
        "numbers = [1, 2, 3, 4]\nprint(sum(numbers))",
        "This prints 10.",
    ),
    (
        ("a program that asks for my name", "a program with input", "an input example"),
        'name = input("What is your name? ")\nprint(f"Hello, {name}!")',
        "It asks for a name and says hello.",
    ),
)
