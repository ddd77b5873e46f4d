# SPDX-License-Identifier: MIT
"""Parts of a small transformer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from tests.corpus.case import Case, launch, program

from threadloom.model.array import Array, Values

RNG = 11


def transformer_cases() -> Iterator[Case]:
    """All of them."""
    yield _case("encoder_forward", 3, 128, _encoder, _encoder_answer, 0)
    yield _case("layernorm_forward", 5, 64, _layernorm, _layernorm_answer, 3e-6)
    yield _case("gelu_forward", 2, 64, _gelu, _gelu_answer, 1e-6)
    yield _case("softmax_forward", 4, 64, _softmax, _softmax_answer, 1e-6)
    yield _case("crossentropy_forward", 4, 96, _crossentropy, _crossentropy_answer, 2e-6)
    yield _case("adamw", 2, 128, _adamw, _adamw_answer, 2e-6)
    yield _case("flash_attention", 4, 32, _attention, _attention_answer, 5e-6)
    yield _case("rope", 3, 64, _rope, _rope_answer, 3e-6)


def _case(
    entry: str,
    blocks: int,
    threads: int,
    values: Callable[[], Values],
    answer: Callable[[Values], Mapping[str, Array]],
    tolerance: float,
) -> Case:
    return Case(
        f"transformer/{entry}",
        program("programs/transformer.cu", entry),
        launch((blocks,), (threads,)),
        values,
        answer,
        tolerance,
    )


def _normal(*shape: int, seed: int = RNG) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _wide(values: Values, name: str) -> Array:
    return np.asarray(values[name], np.float64)


def _encoder() -> Values:
    tokens = np.random.default_rng(RNG).integers(0, 20, (2, 8)).astype(np.int32)
    return {
        "out": np.zeros((2, 8, 24), np.float32),
        "tokens": tokens,
        "wte": _normal(20, 24),
        "wpe": _normal(8, 24, seed=2),
        "B": np.int32(2),
        "T": np.int32(8),
        "C": np.int32(24),
    }


def _encoder_answer(v: Values) -> Mapping[str, Array]:
    return {"out": np.asarray(v["wte"])[np.asarray(v["tokens"])] + np.asarray(v["wpe"])}


def _layernorm() -> Values:
    return {
        "out": np.zeros((9, 50), np.float32),
        "mean": np.zeros(9, np.float32),
        "rstd": np.zeros(9, np.float32),
        "inp": _normal(9, 50),
        "weight": _normal(50, seed=2),
        "bias": _normal(50, seed=3),
        "N": np.int32(9),
        "C": np.int32(50),
    }


def _layernorm_answer(v: Values) -> Mapping[str, Array]:
    x = _wide(v, "inp")
    mean, rstd = x.mean(1), 1 / np.sqrt(x.var(1) + 1e-5)
    out = (x - mean[:, None]) * rstd[:, None] * _wide(v, "weight") + _wide(v, "bias")
    return {"out": out, "mean": mean, "rstd": rstd}


def _gelu() -> Values:
    return {"out": np.zeros(400, np.float32), "inp": 2 * _normal(400), "N": np.int32(400)}


def _gelu_answer(v: Values) -> Mapping[str, Array]:
    x = _wide(v, "inp")
    return {"out": 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))}


def _softmax() -> Values:
    return {
        "out": np.zeros((4, 150), np.float32),
        "inp": 5 * _normal(4, 150),
        "N": np.int32(4),
        "C": np.int32(150),
    }


def _softmax_answer(v: Values) -> Mapping[str, Array]:
    return {"out": _soft(_wide(v, "inp"))}


def _soft(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def _crossentropy() -> Values:
    return {
        "losses": np.zeros(4, np.float32),
        "dlogits": np.zeros((4, 200), np.float32),
        "logits": 3 * _normal(4, 200),
        "targets": np.array([0, 7, 199, 100], np.int32),
        "N": np.int32(4),
        "V": np.int32(200),
    }


def _crossentropy_answer(v: Values) -> Mapping[str, Array]:
    p, targets = _soft(_wide(v, "logits")), np.asarray(v["targets"])
    hot = np.eye(200)[targets]
    return {"losses": -np.log(p[np.arange(4), targets]), "dlogits": (p - hot) / 4}


def _adamw() -> Values:
    numbers = {
        "rate": 0.01,
        "beta1": 0.9,
        "beta2": 0.99,
        "correction1": 0.19,
        "correction2": 0.0199,
        "eps": 1e-8,
        "decay": 0.1,
    }
    return {
        "params": _normal(200),
        "grads": _normal(200, seed=2),
        "m_memory": _normal(200, seed=3) / np.float32(10),
        "v_memory": np.abs(_normal(200, seed=4)),
        "num": np.int64(200),
        **{name: np.float32(number) for name, number in numbers.items()},
    }


def _adamw_answer(v: Values) -> Mapping[str, Array]:
    number = {name: float(np.asarray(v[name])) for name in v if np.ndim(v[name]) == 0}
    g = _wide(v, "grads")
    m = number["beta1"] * _wide(v, "m_memory") + (1 - number["beta1"]) * g
    w = number["beta2"] * _wide(v, "v_memory") + (1 - number["beta2"]) * g * g
    step = m / number["correction1"] / (np.sqrt(w / number["correction2"]) + number["eps"])
    p = _wide(v, "params")
    p = p - number["rate"] * (step + number["decay"] * p)
    return {"params": p, "m_memory": m, "v_memory": w}


def _attention() -> Values:
    return {
        "Q": _normal(100, 16),
        "K": _normal(100, 16, seed=2),
        "V": _normal(100, 16, seed=3),
        "O": np.zeros((100, 16), np.float32),
        "N": np.int32(100),
    }


def _attention_answer(v: Values) -> Mapping[str, Array]:
    scores = _wide(v, "Q") @ _wide(v, "K").T / 4
    return {"O": _soft(scores) @ _wide(v, "V")}


def _rope() -> Values:
    return {"x": _normal(6, 3, 16), "T": np.int32(6), "H": np.int32(3), "D": np.int32(16)}


def _rope_answer(v: Values) -> Mapping[str, Array]:
    x = _wide(v, "x").reshape(6, 3, 8, 2)
    angle = np.arange(6)[:, None, None] * 10000.0 ** (-2 * np.arange(8) / 16)
    s, c = np.sin(angle), np.cos(angle)
    turned = [x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c]
    return {"x": np.stack(turned, -1).reshape(6, 3, 16)}
