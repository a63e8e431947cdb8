"""Writes a language model of one layer with random weights: `python tests/llm/tiny_gguf.py OUT.gguf [SEED]`.

It knows nothing and speaks bytes; a server that runs it obeys a grammar or says noise, and that is what is tested.
Needs the `gguf` package, so it runs with the interpreter of the model server.
"""

import sys

import gguf
import numpy as np

WIDTH, HEADS, INNER, CONTEXT = 64, 4, 128, 16_384
UNKNOWN, BEGIN, END = 0, 1, 2
SCALE = 0.2

TEMPLATE = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\n' }}{% endfor %}assistant: "

_NORMAL, _UNKNOWN, _CONTROL, _BYTE = 1, 2, 3, 6


def write(path: str, seed: int) -> None:
    """A model of a few hundred kilobytes; the same seed gives the same bytes."""
    tokens = [b"<unk>", b"<s>", b"</s>", *(f"<0x{byte:02X}>".encode() for byte in range(256)), "\u2581".encode()]
    kinds = [_UNKNOWN, _CONTROL, _CONTROL, *[_BYTE] * 256, _NORMAL]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(BEGIN)
    writer.add_eos_token_id(END)
    writer.add_unk_token_id(UNKNOWN)
    writer.add_chat_template(TEMPLATE)
    random = np.random.default_rng(seed)

    def matrix(*shape: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
        return (random.standard_normal(shape) * SCALE).astype(np.float32)

    writer.add_tensor("token_embd.weight", matrix(len(tokens), WIDTH))
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    writer.add_tensor("output.weight", matrix(len(tokens), WIDTH))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        writer.add_tensor(f"blk.0.{name}.weight", matrix(WIDTH, WIDTH))
    for name, shape in (("gate", (INNER, WIDTH)), ("up", (INNER, WIDTH)), ("down", (WIDTH, INNER))):
        writer.add_tensor(f"blk.0.ffn_{name}.weight", matrix(*shape))
    for name in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{name}.weight", np.ones(WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7)
