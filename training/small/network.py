"""A decoder as Llama has it: RMSNorm, rotary positions, SwiGLU, no biases, one table of tokens for both ends."""

import torch
from torch import nn
from torch.nn import functional

EPSILON = 1e-5
THETA = 10_000.0


class Layer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.before = nn.Parameter(torch.ones(width))
        self.between = nn.Parameter(torch.ones(width))
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.output = nn.Linear(width, width, bias=False)
        self.gate = nn.Linear(width, inner, bias=False)
        self.up = nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x, turns, past):
        batch, length, width = x.shape
        normed = norm(x, self.before)

        def apart(linear):
            return linear(normed).view(batch, length, self.heads, -1).transpose(1, 2)

        query, key, value = turn(apart(self.query), turns), turn(apart(self.key), turns), apart(self.value)
        if past is not None:
            if past:
                key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
            past[:] = [key, value]
        seen = functional.scaled_dot_product_attention(query, key, value, is_causal=length > 1)
        x = x + self.output(seen.transpose(1, 2).reshape(batch, length, width))
        normed = norm(x, self.between)
        return x + self.down(functional.silu(self.gate(normed)) * self.up(normed))


class Network(nn.Module):
    def __init__(self, tokens, width, layers, heads, inner, longest):
        super().__init__()
        self.shape = {"width": width, "layers": layers, "heads": heads, "inner": inner, "longest": longest}
        self.table = nn.Embedding(tokens, width)
        self.layers = nn.ModuleList(Layer(width, heads, inner) for _ in range(layers))
        self.after = nn.Parameter(torch.ones(width))
        half = width // heads // 2
        angles = torch.arange(longest)[:, None] * THETA ** (-torch.arange(half) / half)
        self.register_buffer("turns", torch.stack([angles.cos(), angles.sin()]), persistent=False)
        for name, values in self.named_parameters():
            if values.dim() == 2:
                deep = (2 * layers) ** -0.5 if name.endswith(("output.weight", "down.weight")) else 1
                nn.init.normal_(values, std=0.02 * deep * (160 / width) ** 0.5)

    def forward(self, tokens, pasts=None, at=0):
        """Logits of the token after each: (batch, length) to (batch, length, tokens). `pasts`: a list for each layer."""
        x = self.table(tokens)
        turns = self.turns[:, at : at + tokens.shape[1]]
        for place, layer in enumerate(self.layers):
            x = layer(x, turns, None if pasts is None else pasts[place])
        return norm(x, self.after) @ self.table.weight.T


def norm(x, scale):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON) * scale


def turn(x, turns):
    """Rotary positions: the halves of a head are the two axes."""
    left, right = x.chunk(2, -1)
    cosine, sine = turns
    return torch.cat([left * cosine - right * sine, right * cosine + left * sine], -1)


@torch.no_grad()
def write(network, prompt, number=1, most=320, temperature=0.0, generator=None, end=4):
    """So many continuations of a prompt (a list of tokens), each until its end; at temperature 0 the likeliest."""
    pasts = [[] for _ in network.layers]
    logits = network(torch.tensor([prompt] * number), pasts)[:, -1]
    at, rows, over = len(prompt), [], torch.zeros(number, dtype=torch.bool)
    for _ in range(min(most, network.shape["longest"] - at)):
        if temperature == 0:
            chosen = logits.argmax(-1)
        else:
            chosen = torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)[:, 0]
        chosen = torch.where(over, end, chosen)
        rows.append(chosen)
        over = over | (chosen == end)
        if over.all():
            break
        logits = network(chosen[:, None], pasts, at)[:, -1]
        at += 1
    found = torch.stack(rows, 1).tolist()
    return [row[: row.index(end) + 1] if end in row else row for row in found]


def chances(network, prompts, answers, pad=0):
    """Sum of the logarithms of each answer's tokens' probabilities, (number,), and how many tokens each has."""
    rows = [prompt + answer for prompt, answer in zip(prompts, answers)]
    longest = max(map(len, rows))
    tokens = torch.tensor([row + [pad] * (longest - len(row)) for row in rows])
    said = torch.zeros(len(rows), longest - 1)
    for place, (prompt, row) in enumerate(zip(prompts, rows)):
        said[place, len(prompt) - 1 : len(row) - 1] = 1
    logits = network(tokens[:, :-1])
    each = -functional.cross_entropy(logits.float().transpose(1, 2), tokens[:, 1:], reduction="none")
    return (each * said).sum(1), said.sum(1)
