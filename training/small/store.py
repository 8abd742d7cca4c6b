"""A network with its tokens in a folder, as the stages hand it on."""

import json
from pathlib import Path

import torch

from network import Network
from tokens import Tokens


def save(network, tokens, folder):
    folder = Path(folder)
    folder.mkdir(parents=True)
    torch.save(network.state_dict(), folder / "weights.pt")
    about = {"shape": network.shape, "names": tokens.names, "pieces": tokens.pieces}
    (folder / "about.json").write_text(json.dumps(about, indent=1), encoding="utf-8")


def load(folder):
    folder = Path(folder)
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    tokens = Tokens(about["names"], about["pieces"])
    network = Network(len(tokens.texts), **about["shape"])
    network.load_state_dict(torch.load(folder / "weights.pt", weights_only=True))
    return network, tokens
