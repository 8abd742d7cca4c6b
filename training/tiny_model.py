"""Writes a model small enough for a CPU: initialised at random, with a tokenizer of a file's words.

python tiny_model.py traces/openai-chat/train.jsonl --out tiny
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "clients/python/examples"))
from gym_tiny_model import model_of, tokenizer_of

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("words", help="file whose words the tokenizer has")
parser.add_argument("--out", required=True)
chosen = parser.parse_args()
tokenizer = tokenizer_of(Path(chosen.words).read_text(encoding="utf-8").splitlines())
model_of(tokenizer).save_pretrained(chosen.out)
tokenizer.save_pretrained(chosen.out)
