# SPDX-License-Identifier: MIT
"""A language in which every text can be told from English: all letters bear accents.

Its catalog is generated from the texts that Babel finds in the sources, so what is shown without
accents was not translated, or is data: names, code, units, numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po
from tests.paths import ROOT

from threadloom.services.devices import device_table
from threadloom_kernels import find

LANGUAGE = "eo"
"""A language that Babel knows and that the program is not translated into."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTS = "áƀćďéƒǵĥíĵķĺḿńóṕɋŕśťúṽẃẋýźÁɃĆĎÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼẂẊÝŹ"
_TABLE = str.maketrans(_LETTERS, _ACCENTS)
_KEPT = re.compile(r"(\{[^}]*\}|`[^`]*`)")
"""Placeholders, and code within a text."""
_WORD = re.compile(r"[A-Za-z]{2,}")
_CODE = re.compile(
    r"`[^`]*`"  # code within a text
    r"|\S*/\S+"  # paths, and units such as GB/s
    r"|--?[a-z][\w-]*"  # options
    r"|\w*[_.<>()\[\]=]\w[\w.<>()\[\]=,*]*"  # identifiers, expressions, file names
    r"|\d[\w.,+]*"  # numbers with what belongs to them
)
_NAMES = frozenset(
    re.findall(
        r"\S+",
        """
        NumPy CuPy PyTorch CUDA PyCUDA NVIDIA Threadloom OpenBLAS Clang Zig Linux Python ptxas nvcc
        GPU CPU SM SMs RAM DRAM HBM ECC PCIe FP FMA FLOP GFLOP TFLOP MFLOP JSON CSV SVG PDF PNG UTF
        ns µs ms kB MB GB TB KiB MiB GiB TiB KB MHz GHz dpi px mm pt
        Ctrl Shift Alt Esc Tab Enter Return Space Home End PgUp PgDown Del Left Right Up Down
        float int double unsigned half long char bool void const threadIdx blockIdx blockDim gridDim
        NaN nan inf NVRTC English
        """,
    )
)
"""Names of products, units, keys and types: the same in every language."""


@cache
def catalog() -> Catalog:
    """Every text of the program with its translation."""
    made = Catalog(locale=LANGUAGE, charset="utf-8", fuzzy=False)
    for part in ("app", "kernels"):
        for _file, _line, msgid, _comments, _context in extract_from_dir(ROOT / part):
            singular = msgid if isinstance(msgid, str) else msgid[0]
            if not singular:
                continue
            forms = (msgid,) if isinstance(msgid, str) else tuple(msgid)
            translated = tuple(pseudo(form) for form in forms)
            made.add(msgid, translated[0] if isinstance(msgid, str) else translated)
    return made


def write_catalog(folder: Path) -> None:
    """Write the catalog where the program looks for languages."""
    with (folder / f"{LANGUAGE}.po").open("wb") as file:
        write_po(file, catalog())


def pseudo(text: str) -> str:
    """A text with accents on its letters; placeholders and code stay."""
    parts = _KEPT.split(text)
    return "".join(
        part if number % 2 else part.translate(_TABLE) for number, part in enumerate(parts)
    )


_RAW = re.compile(r"\S+:\d+:\d+: (?:fatal )?(?:error|warning): |cu\w+ failed: ")
"""Texts of a compiler or a driver, which are shown as they are."""
_FOREIGN = frozenset({"Scroll Left", "Scroll Right", "Export", "Export..."})
"""Texts of Qt and pyqtgraph, which have translations of their own."""


def untranslated(texts: Iterable[str], data: Iterable[str] = ()) -> list[str]:
    """Texts with a word that is neither translated nor the name of something."""
    known = {*_NAMES, *names(), *data}
    own = {text for text in texts if text not in _FOREIGN and not _RAW.search(text)}
    left = {text for text in own if set(_words(text)) - known}
    # A token of code that is painted by itself may be cut short.
    return sorted(text for text in left if not any(name.startswith(text) for name in known))


def _words(text: str) -> Iterator[str]:
    plain = re.sub(r"<[^<>]*>", " ", text) if "</" in text else text
    return (word[0] for word in _WORD.finditer(_CODE.sub(" ", plain)))


@cache
def names() -> frozenset[str]:
    """Words that operations, their sources and the device table bring along."""
    texts: list[str] = []
    for operation in find(None).operations.values():
        texts += (operation.name, operation.formula, *(axis.name for axis in operation.axes))
        texts += (argument.name for argument in operation.arguments)
        texts += (variant.name for variant in operation.variants)
    texts += (path.read_text("utf-8") for path in (ROOT / "kernels").rglob("*.cu"))
    texts += (model.name for model in device_table.load())
    return frozenset(word for text in texts for word in _WORD.findall(text.replace("_", " ")))
