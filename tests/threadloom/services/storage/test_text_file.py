# SPDX-License-Identifier: MIT
from pathlib import Path

import pytest

from threadloom.services.storage.text_file import TextFileError, read_text


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_text_is_the_same_from_every_editor(mark: bytes, end: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a ü.cu"
    file.write_bytes(mark + "// Größe".encode() + end + b"int i;" + end)
    assert read_text(file) == "// Größe\nint i;\n"


def test_other_text_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "latin.cu"
    file.write_bytes(b"int i;\n// Gr\xf6\xdfe\n")
    with pytest.raises(TextFileError, match=r"latin\.cu cannot be read: line 2 is not .* UTF-8"):
        read_text(file)


def test_what_is_no_file_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(TextFileError, match="No such file or directory") as caught:
        read_text(tmp_path / "none.cu")
    assert "Errno" not in str(caught.value)
    with pytest.raises(TextFileError, match="directory"):
        read_text(tmp_path)
