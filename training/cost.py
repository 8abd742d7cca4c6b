"""Prints what stage 2 costs: tokens of traces or rollouts, published speeds of GPUs, measured CPU of the gym.

Computed, not measured: no training of this size was run.

    python cost.py traces/openai-chat/train.jsonl --rollouts 51200 --gpu-hour 2.5 --core-hour 0.05
"""

import argparse
import json
from pathlib import Path

CHARACTERS_PER_TOKEN = 4
"""The published benchmark's estimate; `--tokenizer` counts."""

SPEEDS = {
    "Qwen3-14B, one A100 80 GB": 5_153,
    "Qwen3-32B, one A100 80 GB": 1_837,
}
"""Tokens per second, read and written, of vLLM 0.11 with 4,000 tokens in and 200 out, before tuning: GPUStack,
performance lab, https://docs.gpustack.ai/latest/performance-lab/"""

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("traces", help="JSON lines with `messages`: traces of experts, or exported episodes")
parser.add_argument("--rollouts", type=int, default=51_200, help="of stage 2; default: 100 steps of 512")
parser.add_argument("--cpu-ms", type=float, default=243, help="of one core for a rollout in the gym (docs/gym.md)")
parser.add_argument("--tokenizer", help="folder or name; default: characters / 4")
parser.add_argument("--gpu-hour", type=float, default=0, help="price of a GPU for an hour")
parser.add_argument("--core-hour", type=float, default=0, help="price of a CPU core for an hour")
chosen = parser.parse_args()

if chosen.tokenizer:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(chosen.tokenizer)


def tokens_of(message):
    text = f"{message.get('content') or ''}{json.dumps(message['tool_calls']) if message.get('tool_calls') else ''}"
    return len(tokenizer(text)["input_ids"]) if chosen.tokenizer else len(text) / CHARACTERS_PER_TOKEN


def conversation(row):
    """Tokens that the model writes, those it reads if all is cached, and those it reads if nothing is."""
    tools = len(json.dumps(row.get("tools") or [])) / CHARACTERS_PER_TOKEN
    known, written, read_again = tools, 0, 0
    for message in row["messages"]:
        count = tokens_of(message)
        if message["role"] == "assistant":
            written += count
            read_again += known
        known += count
    return written, known - written, read_again


lines = Path(chosen.traces).read_text(encoding="utf-8").splitlines()
found = [conversation(json.loads(line)) for line in lines if line.strip()]
if not found:
    parser.error(f"{chosen.traces} has no conversation")
written, once, again = (sum(values) / len(found) for values in zip(*found, strict=True))
print(f"a conversation, mean of {len(found)}: {written:,.0f} tokens written, {once:,.0f} read once,")
print(f"{again:,.0f} read without a cache")
core_hours = chosen.rollouts * chosen.cpu_ms / 3_600_000
price = f", {core_hours * chosen.core_hour:,.2f} at {chosen.core_hour} an hour" if chosen.core_hour else ""
print(f"{chosen.rollouts:,} rollouts in the gym: {core_hours:,.1f} hours of a core{price}")
print(
    f"{'sampling them':<28} {'GPU hours, cached':>18} {'not cached':>12}"
    + (f" {'price':>16}" if chosen.gpu_hour else "")
)
for name, speed in SPEEDS.items():
    best, worst = (chosen.rollouts * (written + read) / speed / 3_600 for read in (once, again))
    price = f" {best * chosen.gpu_hour:>7,.0f} to {worst * chosen.gpu_hour:,.0f}" if chosen.gpu_hour else ""
    print(f"{name:<28} {best:>18,.1f} {worst:>12,.1f}{price}")
