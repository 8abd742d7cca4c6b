"""Writes a network as the file that `reference/learned` reads, with weights of one byte, and logits to compare with."""

import argparse
import json
import struct
from pathlib import Path

import torch
from network import write
from store import load
from tokens import WRITE

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--model", required=True)
parser.add_argument("--out", required=True, help="network.bin")
parser.add_argument("--logits", required=True, help="file of JSON with logits of the network as it is in the file")
chosen = parser.parse_args()
torch.set_num_threads(1)
network, tokens = load(chosen.model)
about = {"version": 1, "shape": network.shape, "names": tokens.names, "pieces": tokens.pieces}
text = json.dumps(about, separators=(",", ":")).encode("ascii")
text += b" " * (-len(text) % 4)
parts = [struct.pack("<I", len(text)), text]


@torch.no_grad()
def matrix(weights):
    """Scales of the rows and weights of one byte. What is in the file takes the place of what was there."""
    scales = (weights.abs().amax(1) / 127).clamp(min=1e-12)
    whole = (weights / scales[:, None]).round().clamp(-127, 127)
    parts.extend([scales.numpy().astype("<f4").tobytes(), whole.numpy().astype("i1").tobytes()])
    weights.copy_(whole * scales[:, None])


def vector(values):
    parts.append(values.detach().numpy().astype("<f4").tobytes())


matrix(network.table.weight)
for layer in network.layers:
    vector(layer.before)
    for linear in (layer.query, layer.key, layer.value, layer.output):
        matrix(linear.weight)
    vector(layer.between)
    for linear in (layer.gate, layer.up, layer.down):
        matrix(linear.weight)
vector(network.after)
Path(chosen.out).write_bytes(b"".join(parts))

rows = []
for report in (
    {"fault": "pod-fail", "namespace": "shop-1", "target": "cartservice"},
    {"fault": "service-selector-mismatch", "namespace": "a-system-of-others", "target": "queue-7"},
):
    prompt = tokens.prompt(report)
    (written,) = write(network, prompt)
    with torch.no_grad():
        logits = network(torch.tensor([prompt + written[:-1]]))[0]
    rows.append(
        {
            "prompt": report,
            "tokens": prompt,
            "script": tokens.text(written),
            "written": written[:-1],
            # Of the first token that is written, and of the last: with all that is kept before it.
            "first": [round(float(value), 5) for value in logits[len(prompt) - 1]],
            "last": [round(float(value), 5) for value in logits[-1]],
        }
    )
assert all(row["tokens"][-1] == WRITE for row in rows)
Path(chosen.logits).write_text(json.dumps(rows) + "\n", encoding="utf-8")
print(f"{chosen.out}: {sum(map(len, parts))} bytes")
