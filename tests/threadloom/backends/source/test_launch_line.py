# SPDX-License-Identifier: MIT
"""Launch lines, read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threadloom.backends.source.launch_line import (
    LARGEST_EXTENT,
    LaunchLineError,
    ParsedLaunch,
    parse_launch,
)
from threadloom.model.dim3 import Dim3
from threadloom.model.launch import Launch
from threadloom.model.launch_line import format_launch

extent = st.integers(1, LARGEST_EXTENT)
dims = st.builds(Dim3, extent, extent, extent)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True)


def read(text: str, **sizes: int) -> ParsedLaunch:
    """The launch of a line that is right."""
    parsed = parse_launch(text, sizes)
    assert isinstance(parsed, ParsedLaunch), parsed
    return parsed


def fault(text: str, **sizes: int) -> LaunchLineError:
    """What is wrong with a line."""
    parsed = parse_launch(text, sizes)
    assert isinstance(parsed, LaunchLineError), parsed
    return parsed


@given(
    name=names, grid=dims, block=dims, shared=st.integers(0, LARGEST_EXTENT), args=st.lists(names)
)
def test_what_is_written_is_read_again(
    name: str, grid: Dim3, block: Dim3, shared: int, args: list[str]
) -> None:
    launch = Launch(grid, block, shared)
    parsed = read(format_launch(name, launch, args))
    assert (parsed.name, parsed.launch, parsed.arguments) == (name, launch, tuple(args))


@given(st.text(alphabet="k<>(),;123n+-*/%. dim3x={}\n'eé\"", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    parsed = parse_launch(text, {"n": 7})
    if isinstance(parsed, LaunchLineError):
        assert 0 <= parsed.start <= parsed.end <= len(text)
        assert parsed.message


@given(st.text(alphabet="0123456789+-*/%()<n. ", max_size=24))
def test_no_expression_breaks_the_reader(text: str) -> None:
    parse_launch(f"k<<<{text}, 1>>>();", {"n": 7})


@pytest.mark.parametrize(
    ("line", "launch"),
    [
        ("kernel<<<(n+255)/256, 256>>>(a,b,c,n);", Launch(Dim3(3907), Dim3(256))),
        ("k<<<1, 500000>>>(x)", Launch(Dim3(1), Dim3(500_000))),
        ("dim3 grid(63,40); k<<<grid, 256, 0, stream>>>()", Launch(Dim3(63, 40), Dim3(256))),
        (
            "dim3 block(16, 16);\n dim3 grid((1000 + block.x - 1) / block.x, (500 + block.y - 1)"
            " / block.y);\n mm<<<grid, block>>>(A, B);",
            Launch(Dim3(63, 32), Dim3(16, 16)),
        ),
        (
            "const int threads = 1 << 8, blocks = (n + threads - 1) / threads;"
            "k<<<blocks, threads, threads * sizeof(float)>>>(a)",
            Launch(Dim3(3907), Dim3(256), 1024),
        ),
        ("k<float><<<ceil(n / 256.0), 256u>>>(a)", Launch(Dim3(3907), Dim3(256))),
        ("k<<<(int)ceil((float)1000/256), 0x100>>>()", Launch(Dim3(4), Dim3(256))),
        ("k<<<1'000'000 % 7, max(32, 64), 48 * 1024>>>()", Launch(Dim3(1), Dim3(64), 49152)),
        ("k<<<{2, 3}, dim3{4, 5, 6}>>>()", Launch(Dim3(2, 3), Dim3(4, 5, 6))),
        ("float *d; cudaMalloc(&d, 4*m); k<<<1<<20, 32>>>(d);", Launch(Dim3(1 << 20), Dim3(32))),
        ("dim3 g = dim3(4, 2), b{8}; ns::k<<<g, b>>>();", Launch(Dim3(4, 2), Dim3(8))),
        ("<<<-(-7) / 2, 7 - 2 - 1>>>", Launch(Dim3(3), Dim3(4))),
        ("dim3 g(n), h(n / 4, 2); k<<<g, h.y>>>()", Launch(Dim3(1_000_000), Dim3(2))),
        ("int t = n / 300.0; unsigned q{64}; k<<<t, q, 0>>>()", Launch(Dim3(3333), Dim3(64))),
        ("k<<<n > 3 ? 010 : 1, (n < 2) + 32, 2 << 3 >> 1>>>()", Launch(Dim3(8), Dim3(32), 8)),
        ('k<<<dim3(), 1 /* warp */ * 32>>>(f(1, "a,b"))', Launch(Dim3(), Dim3(32))),
    ],
)
def test_lines_as_people_write_them(line: str, launch: Launch) -> None:
    assert read(line, n=1_000_000).launch == launch


def test_the_parts_of_a_line_are_known() -> None:
    line = "add<<<dim3(4), 256>>>(a, f(b, 1), n);"
    parsed = read(line)
    assert (parsed.name, parsed.arguments) == ("add", ("a", "f(b,1)", "n"))
    assert line[slice(*parsed.grid_span)] == "dim3(4)"
    assert line[slice(*parsed.block_span)] == "256"
    assert not parsed.shared_given


@pytest.mark.parametrize(
    ("line", "part", "words"),
    [
        ("k<<<0, 256>>>()", "0", ("Grid x is 0", "at least 1")),
        ("k<<<4, -256>>>()", "-256", ("Block x is -256", "at least 1")),
        ("k<<<dim3(4, 0), 32>>>()", "dim3(4, 0)", ("Grid y is 0",)),
        ("k<<<2147483648, 256>>>()", "2147483648", ("Grid x is 2,147,483,648", "more threads")),
        ("k<<<1, 1LL<<31>>>()", "1LL<<31", ("Block x is 2,147,483,648", "more blocks")),
        ("k<<<1000/256.0, 256>>>()", "1000/256.0", ("3.90625 is not an integer", "Round")),
        ("k<<<blocks, 256>>>()", "blocks", ("“blocks” is undefined", "number")),
        ("k<<<(nn + 255) / 256, 256>>>()", "nn", ("“nn” is undefined", "“n”")),
        ("k<<<abc!, 256>>>()", "abc", ("“abc”",)),
        ("k<<<1, 32, -4>>>()", "-4", ("Shared memory is -4",)),
        ("k<<<1/0, 32>>>()", "1/0", ("Division by zero",)),
        ("k<<<dim3(1,2,3,4), 32>>>()", "(1,2,3,4)", ("up to three numbers", "4 were given")),
        ("k<<<99999999999999999999999, 32>>>()", "9" * 23, ("too large",)),
        ("k<<<1 << 63 << 63, 32>>>()", "1 << 63 << 63", ("too large",)),
        ("k<<<1u - 2u, 32>>>()", "1u - 2u", ("Grid x is 4,294,967,295", "more threads")),
        ("k<<<4!, 256>>>()", "!", ("Unexpected “!”",)),
        ("k<<<(1 + 2, 256>>>()", "", ("Expected “)”",)),
        ("dim3 b(4, m); k<<<1, b>>>()", "m", ("“m” is undefined", "one of: n")),
        ("dim3 b(4); k<<<1, b.w>>>()", "w", ("not an axis",)),
        ("dim3 b(4); k<<<1, b * 2>>>()", "b", ("b.x, b.y or b.z",)),
        ("int t = ; k<<<t, 4>>>()", "", ("Expected a number",)),
        ("int é = 3; k<<<é, é * q>>>()", "q", ("“q” is undefined",)),
        ("k<<<1>>>()", "", ("Expected the threads per block",)),
        ("k<<<1, 2, , s>>>()", "", ("Expected a number",)),
    ],
)
def test_a_wrong_part_is_named_with_its_number_and_its_fix(
    line: str, part: str, words: tuple[str, ...]
) -> None:
    found = fault(line, n=1000)
    assert line[found.start : found.end] == part
    for word in words:
        assert word in found.message


@pytest.mark.parametrize("line", ["", "hello", "k<<<", "k<<<1", "k<<<1,", "k<<<1, 32", "k<<<,1>>>"])
def test_half_a_line_says_what_is_missing(line: str) -> None:
    found = fault(line)
    assert 0 <= found.start <= found.end <= len(line)
    assert found.message


@pytest.mark.parametrize("nest", ["(", "-", "(int)", "max("])
def test_a_bottomless_nest_is_refused(nest: str) -> None:
    assert "nested too deeply" in fault(f"k<<<{nest * 5000}1, 32>>>()").message
