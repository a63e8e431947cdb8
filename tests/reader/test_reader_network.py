"""The networks in numpy: running a row at once and step by step is the same; neither sentences nor networks touch."""

import numpy as np
from numpy.typing import NDArray

from tingdong.reader.inputs import Vocabulary
from tingdong.reader.network import Network
from tingdong.reader.symbols import Symbols
from tingdong.reader.weights import Shape, Trained, load, save

SHAPE = Shape(width=16, encoder=2, decoder=2, heads=4, inner=24)
VOCABULARY = Vocabulary(tuple("客厅开灯"), ("ROOM+", "ROOM"), ("打开/",), ("Light",))
SYMBOLS = Symbols(("打开", "关闭"), ("最大",))
INPUTS = [[1, 2, 3, 4], [1, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def trained(*seeds: int) -> Trained:
    """Networks of random weights, one a seed."""
    each = [weights_of(seed) for seed in seeds or (3, 4)]
    return Trained(SHAPE, VOCABULARY, SYMBOLS, {name: np.stack([one[name] for one in each]) for name in each[0]})


def weights_of(seed: int) -> dict[str, NDArray[np.float32]]:
    rng = np.random.default_rng(seed)
    width, inner = SHAPE.width, SHAPE.inner
    shapes: dict[str, tuple[int, ...]] = {"start": (width,), "symbol.weight": (len(SYMBOLS), width)}
    shapes |= {f"embed.{i}.weight": (size, width) for i, size in enumerate(VOCABULARY.sizes())}
    shapes |= {f"conv.{i}.weight": (width, width, 3) for i in range(2)} | {f"conv.{i}.bias": (width,) for i in range(2)}
    linear = {"copied": width, "point": width, "pointed": width, "out": len(SYMBOLS)}
    norms = ["norm_in", "norm_memory", "norm_out"]
    for part, layers in (("encoder", SHAPE.encoder), ("decoder", SHAPE.decoder)):
        for i in range(layers):
            own = {"attend": 3 * width, "mix": width, "wide": inner}
            own |= {"ask": width, "offer": 2 * width, "blend": width} if part == "decoder" else {}
            linear |= {f"{part}.{i}.{name}": size for name, size in own.items()}
            norms += [f"{part}.{i}.norm{n}" for n in ((1, 2, 3) if part == "decoder" else (1, 3))]
            shapes |= {f"{part}.{i}.narrow.weight": (width, inner), f"{part}.{i}.narrow.bias": (width,)}
    for name, size in linear.items():
        shapes |= {f"{name}.weight": (size, width), f"{name}.bias": (size,)}
    for name in norms:
        shapes |= {f"{name}.weight": (width,), f"{name}.bias": (width,)}
    return {name: (0.3 * rng.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}


def test_a_row_at_once_is_the_row_step_by_step() -> None:
    """What is kept of past steps changes nothing: same scores, over symbols and over positions."""
    network = Network(trained())
    row = [3, len(SYMBOLS) + 2, 5, len(SYMBOLS) + 1]
    at_once = network.decoding(INPUTS).run(row)
    stepping = network.decoding(INPUTS)
    steps = [stepping.run(()), *(stepping.run((item,)) for item in row)]
    for part in (0, 1):
        assert np.allclose(np.concatenate([step[part] for step in steps], axis=1), at_once[part], atol=1e-4)


def test_networks_side_by_side_do_not_touch() -> None:
    """Each network of the ensemble scores as it does alone."""
    row = [3, len(SYMBOLS) + 2, 5]
    both = Network(trained(3, 4)).decoding(INPUTS).run(row)
    for index, seed in enumerate((3, 4)):
        alone = Network(trained(seed)).decoding(INPUTS).run(row)
        for part in (0, 1):
            assert np.allclose(both[part][index], alone[part][0], atol=1e-4)


def test_a_fork_leaves_its_origin_alone() -> None:
    """Scoring one array does not change the score of the next."""
    decoding = Network(trained()).decoding(INPUTS)
    before = decoding.fork().run([3, 4])
    decoding.fork().run([5, len(SYMBOLS) + 3])
    assert np.array_equal(before[0], decoding.fork().run([3, 4])[0])


def test_weights_outlive_the_file(tmp_path: object) -> None:
    """Saved and loaded, the network is the same up to 16-bit floats; sizes and symbols are exactly the same."""
    from pathlib import Path

    folder = Path(str(tmp_path))
    one = trained()
    save(folder, one)
    other = load(folder)
    assert (other.shape, other.vocabulary, other.symbols) == (one.shape, one.vocabulary, one.symbols)
    for name, value in one.weights.items():
        assert np.allclose(other.weights[name], value, atol=2e-3)


def test_what_was_run_ahead_can_be_forgotten() -> None:
    """After `keep` the row goes on as if the rest had never been run."""
    network = Network(trained())
    ahead, plain = network.decoding(INPUTS), network.decoding(INPUTS)
    ahead.run([3, len(SYMBOLS) + 2, 5, 4, len(SYMBOLS) + 1])
    ahead.keep(2)
    plain.run([3, len(SYMBOLS) + 2])
    for mine, theirs in zip(ahead.run((7, 8)), plain.run((7, 8)), strict=True):
        assert np.allclose(mine, theirs, atol=1e-4)
