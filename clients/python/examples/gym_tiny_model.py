"""A model small enough to be trained on a CPU within a minute, for the examples that train in a gym.

It is initialised at random, reads a tokenizer that is made from the gym's own words, and learns from a few written
conversations what a call is; which command repairs what, it does not learn from them.
"""

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl.chat_template_utils import qwen2_5_chat_template

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"]


def tokenizer_of(texts):
    """A byte-level tokenizer of these texts, with the chat template of Qwen 2.5."""
    tokens = Tokenizer(models.BPE())
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2_000, special_tokens=SPECIAL[:3], initial_alphabet=alphabet)
    tokens.train_from_iterator(texts, trainer)
    tokens.add_tokens(SPECIAL[3:])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=tokens, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    tokenizer.chat_template = qwen2_5_chat_template
    return tokenizer


def model_of(tokenizer, seed=0):
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=16_384,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    return Qwen2ForCausalLM(config)


def warm_up(model, tokenizer, conversations, tools=None, steps=150):
    """Learns the assistant's words of these conversations."""
    rows = [_tokens_of(tokenizer, messages, tools) for messages in conversations]
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    for step in range(steps):
        ids, labels = rows[step % len(rows)]
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return float(loss.detach())


def _tokens_of(tokenizer, messages, tools):
    def render(count, generation):
        return tokenizer.apply_chat_template(
            messages[:count], tools=tools, add_generation_prompt=generation, tokenize=True, return_dict=False
        )

    ids = render(len(messages), False)
    labels = [-100] * len(ids)
    for place, message in enumerate(messages):
        if message["role"] == "assistant":
            begin, end = len(render(place, True)), len(render(place + 1, False))
            labels[begin:end] = ids[begin:end]
    return torch.tensor([ids]), torch.tensor([labels])
