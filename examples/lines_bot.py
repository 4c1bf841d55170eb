"""A bot that speaks JSON lines. It closes no empty fist, and otherwise plays at random.

mauerwerk match mauer --bots "run:python examples/lines_bot.py,uniform,uniform"
"""

import json
import random
import sys
from typing import Any


def choose(asked: dict[str, Any]) -> str:
    """One of the legal words."""
    legal: list[str] = asked["legal"]
    return random.choice([word for word in legal if word != "-"] or legal)  # noqa: S311 - no secret


for line in sys.stdin:
    question = json.loads(line)
    answer = {"word": choose(question)} if question["type"] == "act" else {"ready": True}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
