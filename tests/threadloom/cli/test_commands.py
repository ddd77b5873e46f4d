# SPDX-License-Identifier: MIT
"""The commands as scripts call them: standard output, standard error, exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from tests.paths import DATA_FOLDER

from threadloom.backends.cuda import find_gpus
from threadloom.cli.application import main
from threadloom.services.export import read_csv, read_json

ENDLESS = """
__global__ void spin(const float* a, const float* b, volatile float* c, int n)
{
    while (c[0] != -1.0f) c[0] = 2.0f;
}
"""


class Shell:
    """Runs commands in this process; what they work on runs in children."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.err = ""

    def __call__(self, *arguments: str) -> tuple[int, str]:
        """Exit status and standard output."""
        status = main(arguments)
        out, self.err = self._capsys.readouterr()
        return status, out

    def json(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        """Exit status and the one object on standard output."""
        status, out = self(*arguments, "--json")
        return status, json.loads(out)


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


def test_run_a_million(shell: Shell) -> None:
    status, found = shell.json("run", "vector_add", "--size", "n=1000000", "--block", "256")
    assert status == 0
    assert found["matches"] is True
    assert found["launch"] == {"grid": [3907, 1, 1], "block": [256, 1, 1], "shared_bytes": 0}
    assert (found["operation"], found["variant"]) == ("vector_add", "grid")
    assert found["size"] == {"n": 1_000_000}
    assert found["max_error"] <= found["tolerance"]
    assert {"compile_s", "resources", "findings", "device", "dtype"} <= set(found)
    assert {"c_loop", "numpy", "kernel", "h2d", "d2h", "copy_in", "copy_out"} <= set(
        found["timings"]
    )
    assert found["timings"]["numpy"]["source"] == "measured"


def test_run_a_tile_at_odd_sizes(shell: Shell) -> None:
    sizes = ("--size", "m=200", "--size", "n=170", "--size", "k=150")
    status, found = shell.json("run", "matmul/shared_tile", *sizes, "--engine", "emulator")
    assert (status, found["matches"], found["engine"]) == (0, True, "emulator")


def test_blocks_go_to_a_file(shell: Shell, tmp_path: Path) -> None:
    asked = ("run", "vector_add", "--size", "1000", "--no-timings", "--engine", "emulator")
    table, document = tmp_path / "blocks.csv", tmp_path / "blocks.json"
    status, found = shell.json(*asked, "--timeline", str(table))
    assert status == 0
    assert found["timeline"]["source"] == "modeled"
    assert (found["timeline"]["blocks"], found["timeline"]["stride"]) == (4, 1)
    lines = [line for line in table.read_text("utf-8").splitlines() if line[0] != "#"]
    assert lines[0] == "block,sm,wave,start_s,end_s"
    assert [line.split(",")[0] for line in lines[1:]] == ["0", "1", "2", "3"]
    shell(*asked, "--timeline", str(document))
    assert json.loads(document.read_text("utf-8"))["block"] == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["blocks.png", "nowhere/blocks.csv"])
def test_a_file_of_blocks_that_cannot_be_written_is_refused_first(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    status, out = shell("run", "vector_add", "--timeline", str(tmp_path / name))
    assert (status, out) == (2, "")
    assert name in shell.err


def test_a_refused_launch_and_its_fixes(shell: Shell) -> None:
    asked = ["run", "vector_add/one_block", "--size", "n=500000", "--block", "500000"]
    status, found = shell.json(*asked)
    assert status == 1
    assert found["launched"] is False
    (finding,) = [f for f in found["findings"] if f["kind"] == "block-too-large"]
    assert "500,000" in finding["message"]
    assert "1,024" in finding["message"]
    assert finding["fixes"]
    for fix in finding["fixes"]:
        options = ["--size", "n=500000", "--no-timings"]
        for name, extents in fix.get("launch", {}).items():
            options += [f"--{name}", ",".join(map(str, extents))]
        status, fixed = shell.json("run", f"vector_add/{fix['variant']}", *options)
        assert (status, fixed["matches"]) == (0, True)


def test_trace_counts_what_is_left_out(shell: Shell) -> None:
    asked = ("--size", "n=1000", "--block", "256", "--grid", "3")
    status, found = shell.json("trace", "vector_add", *asked)
    assert status == 1
    assert found["coverage"]["c"] == {
        "elements": 1000,
        "written": 768,
        "uncovered": 232,
        "multi_writer": 0,
    }
    assert found["engine"] == "emulator"
    assert found["oob_threads"] == found["oob_writes"] == 0
    assert found["uninitialized_reads"] == found["uninitialised_reads"] == 0
    assert {site["kind"] for site in found["sites"]} == {"read", "write"}
    assert found["accesses"] == 3 * 768
    assert {site["distinct_bytes"] for site in found["sites"]} == {768 * 4}
    arrays = {total["array"]: total for total in found["totals"]}
    assert list(arrays)[-1] is None
    assert arrays["a"]["requested_bytes"] == arrays["a"]["distinct_bytes"] == 768 * 4
    assert (arrays[None]["distinct_bytes"], arrays[None]["reuse"]) == (3 * 768 * 4, 1.0)


def test_trace_counts_how_often_lanes_part(shell: Shell) -> None:
    asked = ("vector_add", "--size", "n=1000")
    _status, found = shell.json("trace", *asked)
    (branch,) = found["branches"]
    assert (branch["executed"], branch["diverged"]) == (32, 1)
    _status, out = shell("trace", *asked)
    assert "96.9 %" in out


def test_trace_counts_atomics_by_address(shell: Shell) -> None:
    asked = ("histogram/shared_bins", "--size", "n=1000", "--size", "bins=8")
    _status, found = shell.json("trace", *asked)
    atomics = {site["array"]: site["atomics"] for site in found["sites"] if site["atomics"]}
    assert atomics["counts"]["addresses"] <= 8
    assert atomics["counts"]["most"] <= 4  # one of each block
    assert atomics["own"]["most"] >= 256 // 8
    assert atomics["own"]["block"] in range(4)
    _status, out = shell("trace", *asked)
    assert f"own[{atomics['own']['index']}] of block {atomics['own']['block']}" in out


def test_trace_in_words(shell: Shell) -> None:
    status, out = shell("trace", "vector_add", "--size", "n=1000", "--block", "256")
    assert status == 0
    assert "1,000" in out


def test_bench_writes_what_it_prints(shell: Shell, tmp_path: Path) -> None:
    files = [tmp_path / "a.csv", tmp_path / "b.json"]
    exports = [part for file in files for part in ("--export", str(file))]
    status, found = shell.json("bench", "matmul", "--sizes", "16..64", *exports)
    assert status == 0
    assert [point["size"] for point in found["series"][0]["points"]] == [16, 32, 64]
    assert {series["source"] for series in found["series"]} <= {"measured", "modeled"}
    for back in (read_csv(files[0]), read_json(files[1])):
        medians = [[p.samples.median_s for p in s.points if p.samples] for s in back.series]  # type: ignore[union-attr]
        assert medians == [[p["median_s"] for p in s["points"]] for s in found["series"]]
    assert {"cpu", "numpy", "date", "device", "seed"} <= set(found["environment"])
    assert "Wrote" in shell.err


def test_bench_in_words(shell: Shell) -> None:
    status, out = shell("bench", "vector_add", "--sizes", "100,1000")
    assert status == 0
    assert "1,000" in out
    assert "modeled" in out or "measured" in out


def test_an_endless_kernel_is_a_finding(shell: Shell, tmp_path: Path) -> None:
    source = tmp_path / "spin.cu"
    source.write_text(ENDLESS)
    asked = ("run", "vector_add", "--source", str(source), "--deadline", "1.5")
    status, found = shell.json(*asked, "--engine", "emulator", "--size", "n=256")
    assert status == 1
    assert found["matches"] is False
    assert any("1.5 s" in finding["message"] for finding in found["findings"])


def test_ops_and_devices(shell: Shell) -> None:
    status, found = shell.json("operations")
    names = [operation["name"] for operation in found["operations"]]
    assert status == 0
    assert {"vector_add", "matmul", "transpose"} <= set(names)
    status, found = shell.json("devices")
    assert status == 0
    assert {"RTX 4090", "H200"} <= {model["name"] for model in found["models"]}
    assert found["models"][0]["max_threads_per_block"] == 1024


@pytest.mark.parametrize("command", ["operations", "ops", "devices"])
def test_lists_in_words(shell: Shell, command: str) -> None:
    status, out = shell(command)
    assert status == 0
    assert {"operations": "vector_add", "ops": "vector_add", "devices": "H200"}[command] in out


def test_check_a_case(shell: Shell) -> None:
    case = DATA_FOLDER / "cases" / "a01-block-2000"
    status, found = shell.json("check", str(case / "case.json"))
    assert (status, found["verdict"]) == (1, "launch-error")
    assert found["findings"][0]["fixes"][0]["launch"]


@pytest.mark.parametrize("command", ["run", "trace"])
def test_what_a_source_prints_is_shown(shell: Shell, tmp_path: Path, command: str) -> None:
    file = tmp_path / "own.cu"
    file.write_text("""\
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    if (i == 3) printf("at %d\\n", i);
}""")
    size = ("--size", "n=32", "--block", "32", *(["--no-timings"] if command == "run" else []))
    status, out = shell(command, "vector_add", "--source", str(file), *size)
    assert status == 0, out
    assert "thread (3, 0, 0): at 3" in out


def test_check_shows_what_was_printed(shell: Shell, tmp_path: Path) -> None:
    source = '__global__ void k() { printf("turn %d\\n", (int)threadIdx.x); }'
    case = {"id": "p", "kernel": "k", "args": [], "block": [32, 1, 1], "grid": [1, 1, 1]}
    (tmp_path / "kernel.cu").write_text(source)
    (tmp_path / "case.json").write_text(json.dumps(case))
    status, out = shell("check", str(tmp_path / "case.json"))
    assert status == 0
    assert "block (0, 0, 0), thread (19, 0, 0): turn 19\n12 more lines were printed" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "vector_ad"), ("vector_ad", "vector_add")),
        (("run", "vector_add/fast"), ("fast", "grid_stride")),
        (("run", "vector_add", "--dtype", "f16"), ("f16", "float64")),
        (("run", "vector_add", "--size", "m=3"), ("--size", "m", "n")),
        (("run", "vector_add", "--size", "n=many"), ("--size", "many")),
        (("run", "vector_add", "--size", "n=3000000000"), ("3000000000", "2,147,482,624")),
        (("run", "vector_add", "--block", "1.5"), ("--block", "1.5")),
        (("run", "vector_add", "--shared", "much"), ("--shared", "much")),
        (("run", "vector_add", "--device", "-1"), ("--device", "-1", "at least 0")),
        (("run", "vector_add", "--deadline", "soon"), ("--deadline", "soon", "0.1")),
        (("bench", "vector_add", "--points", "1"), ("--points", "1", "2 to 200")),
        (("run", "vector_add", "--engine", "cpu"), ("cpu", "emulator")),
        (("run", "vector_add", "--gpu-model", "RTX 9"), ("RTX 9",)),
        (("run", "vector_add", "--source", "/nowhere.cu"), ("--source", "/nowhere.cu")),
        (("run",), ("OP",)),
        (("bench", "matmul", "--sizes", "512..64"), ("--sizes", "512..64")),
        (("bench", "matmul", "--export", "a.xlsx"), ("a.xlsx", ".svg", ".csv")),
        (("bench", "matmul", "--export", "/nowhere/a.csv"), ("/nowhere",)),
        (("screenshot", "matmul", "a.gif"), ("a.gif", ".png")),
        (("screenshot", "matmul", "a.png", "--theme", "pink"), ("--theme", "pink", "dark")),
        (("check", "/nowhere.json"), ("/nowhere.json",)),
        (("fly",), ("fly",)),
    ],
)
def test_unusable_arguments(
    shell: Shell, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    status, out = shell(*arguments)
    assert status == 2
    assert out == ""
    for word in words:
        assert word in shell.err


@pytest.mark.skipif(bool(find_gpus()), reason="there is a GPU")
@pytest.mark.parametrize("command", ["run", "trace", "bench"])
def test_an_engine_that_is_not_here(shell: Shell, command: str) -> None:
    status, out = shell(command, "vector_add", "--engine", "gpu")
    assert (status, out) == (3, "")
    assert shell.err


@pytest.mark.parametrize("extents", ["0", "-1", "2147483648", "16,16,65", "1,1,1"])
def test_extremes_are_findings_not_errors(shell: Shell, extents: str) -> None:
    asked = ("run", "vector_add", "--size", "n=100", "--no-timings", "--engine", "emulator")
    status, found = shell.json(*asked, "--block", extents)
    assert status == (0 if extents == "1,1,1" else 1)
    assert bool(found["launched"]) == (extents == "1,1,1")


def test_the_program_starts_quickly_and_says_its_version() -> None:
    """Neither Qt nor NumPy is imported before they are needed."""
    code = (
        "import sys; from threadloom.cli.application import main; main(['--version']); "
        "assert not {'PySide6', 'pyqtgraph', 'tree_sitter', 'pycuda'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("threadloom ")


def test_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "threadloom", "run", "vector_ad"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "vector_add" in done.stderr


def test_bench_draws_without_a_screen(tmp_path: Path) -> None:
    """In a process of its own, as it makes and ends Qt's application."""
    picture = tmp_path / "a.svg"
    asked = ["bench", "matmul", "--sizes", "16,32", "--export", str(picture), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "threadloom", *asked], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["complete"] is True
    assert picture.read_text("utf-8").count("<svg") == 1


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_ctrl_c_ends_a_sweep_with_what_there_is(form: tuple[str, ...]) -> None:
    """The signal is sent once the child's handler runs, which standard error says."""
    code = """
        import os, signal, sys
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
        from threadloom.cli.application import main
        from threadloom.services import client
        from threadloom.services.messages.sweep import SweepProgress

        def stop(request, max_time_s, report, **options):
            def note(message):
                if isinstance(message, SweepProgress) and message.done == 1:
                    os.kill(os.getpid(), signal.SIGINT)
            return ask(request, max_time_s, note, **options)

        ask, client.ask = client.ask, stop
        asked = ["bench", "vector_add", "--sizes", "1e3..1e7", "--points", "50"]
        sys.exit(main([*asked, *sys.argv[1:]]))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *form], capture_output=True, text=True
    )
    assert done.returncode == 130, done.stderr
    if not form:
        assert "Interrupted before the last size." in done.stdout
        return
    found = json.loads(done.stdout)
    assert found["complete"] is False
    assert 1 <= len(found["series"][0]["points"]) < 50


def run_with(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Have a shell start the program, which is ``"$@"`` in the script."""
    program = [sys.executable, "-m", "threadloom", *arguments]
    return subprocess.run(["sh", "-c", script, "sh", *program], capture_output=True, text=True)


SMALL_RUN = ("run", "vector_add", "--size", "n=10", "--no-timings", "--engine", "emulator")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_closed_streams_do_no_harm(form: tuple[str, ...]) -> None:
    done = run_with('"$@" >&- 2>&-', *SMALL_RUN, *form)
    assert done.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux' /dev/full")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_full_disk_is_said_in_one_line(form: tuple[str, ...]) -> None:
    done = run_with('"$@" >/dev/full', *SMALL_RUN, *form)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1:] == [
        "Standard output cannot be written: No space left on device"
    ]
    assert "Traceback" not in done.stderr


def test_operations_of_ones_own_that_cannot_be_used_are_told(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").write_text("import nothing_of_this_name")
    status, _out = shell("run", "broken", "--operations", str(tmp_path))
    assert status == 2
    assert "nothing_of_this_name" in shell.err
    missing = tmp_path / "none"
    status, _found = shell.json(*SMALL_RUN, "--operations", str(missing))
    assert status == 0
    assert f"The folder of operations {missing} does not exist." in shell.err


def test_a_source_that_is_no_text_is_refused_in_words(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "latin.cu"
    file.write_bytes(b"// Gr\xf6\xdfe")
    status, _out = shell(*SMALL_RUN, "--source", str(file))
    assert (status, shell.err) == (
        2,
        f"--source {file} cannot be read: line 1 is not valid UTF-8.\n",
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_without_unicode_gets_what_it_can_show(encoding: str) -> None:
    def run(*more: str) -> subprocess.CompletedProcess[bytes]:
        program = [sys.executable, "-m", "threadloom", *SMALL_RUN, *more]
        surroundings = {**os.environ, "PYTHONIOENCODING": encoding}
        return subprocess.run(program, capture_output=True, env=surroundings)

    told = run()
    assert told.returncode == 0
    assert "? Matches NumPy" in told.stdout.decode(encoding)
    assert json.loads(run("--json").stdout)["matches"] is True
