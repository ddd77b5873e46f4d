# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from threadloom.model.run import Run
from threadloom.presentation.mapping.colormap import packed
from threadloom.presentation.mapping.fitting import Room, Viewport, flow
from threadloom.presentation.mapping.mapping_model import MappingModel, of_result
from threadloom.presentation.mapping.modes import BlockColor, DataColor
from threadloom.presentation.mapping.palette import Palette
from threadloom.presentation.mapping.raster import hatch_cover, wide
from threadloom.presentation.mapping.shading import shade_blocks, shade_elements
from threadloom.ui.mapping.painting.cell_image import CellPicture
from threadloom.ui.theme.theme import Theme

VectorRun = Callable[..., Run]
MODES = (BlockColor.WAVE, DataColor.WHEN)


@pytest.fixture(params=["dark", "light"])
def palette(request: pytest.FixtureRequest, qapp: object) -> Palette:
    theme = Theme.load(request.param)
    return Palette.of(theme.colors, dark=theme.is_dark)


def picture_of(
    model: MappingModel, palette: Palette, by: DataColor, width: int = 64, height: int = 64
) -> CellPicture:
    from PySide6.QtCore import QPoint

    lattice = flow(model.elements, Room(width, height, 40), Viewport(), 32)
    shading = shade_elements(model, palette, (BlockColor.WAVE, by), lattice)
    return CellPicture(QPoint(0, 0), 1.0, lattice, shading, palette, 0)


def colors_in(picture: CellPicture, time_s: float, *, faults: bool) -> set[int]:
    image = picture.image(time_s, faults=faults)
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32)
    return {int(pixel) for pixel in np.unique(pixels)}


def test_nothing_is_written_at_the_start_and_all_at_the_end(
    vector_run: VectorRun, palette: Palette
) -> None:
    model = of_result(vector_run(1000), "c")
    picture = picture_of(model, palette, DataColor.TIMES)
    idle, once = int(packed(palette.idle)), int(packed(palette.once))
    start = colors_in(picture, 0.0, faults=False)
    end = colors_in(picture, model.duration_s, faults=False)
    assert idle in start
    assert once not in start
    assert once in end
    assert idle not in end


def test_elements_are_written_in_the_order_of_their_threads(
    vector_run: VectorRun,
) -> None:
    model = of_result(vector_run(1000), "c")
    times = model.written_at(np.arange(256))
    assert (np.diff(times) > 0).all()
    assert 0 < times[0] < times[-1] < model.duration_s


def test_an_unwritten_element_is_never_written(vector_run: VectorRun) -> None:
    model = of_result(vector_run(1000, grid=3), "c")
    times = model.written_at(np.arange(1000))
    assert np.isinf(times[768:]).all()
    assert np.isfinite(times[:768]).all()


@pytest.mark.parametrize("uncovered", [1, 40, 5000])
def test_one_unwritten_element_shows_among_a_million(
    vector_run: VectorRun, palette: Palette, uncovered: int
) -> None:
    model = of_result(vector_run(1_000_000, block=1, grid=1_000_000 - uncovered), "c")
    picture = picture_of(model, palette, DataColor.WHEN, 192, 130)
    assert picture.placement.index_at(0, 0) == 0
    over = colors_in(picture, model.duration_s, faults=True)
    assert int(packed(palette.hatch)) in over
    assert int(packed(palette.hatch)) not in colors_in(picture, 0.0, faults=False)


def test_blocks_wait_run_and_are_done(vector_run: VectorRun, palette: Palette) -> None:
    model = of_result(vector_run(1_000_000), "c")
    timeline = model.timeline
    assert timeline is not None
    lattice = flow(model.launch.blocks, Room(240, 270, 56), Viewport())
    shading = shade_blocks(model, palette, BlockColor.WAVE, lattice)
    middle = float(timeline.end_s[0]) * 0.5
    colors = shading.at(middle).reshape(-1, 3)[: model.launch.blocks]
    waves = palette.waves[timeline.wave % 6]
    running = timeline.wave == 0
    assert np.allclose(colors[running], palette.running(waves[running]), atol=1)
    assert np.allclose(colors[~running], palette.waiting(waves[~running]), atol=1)
    done = shading.at(model.duration_s).reshape(-1, 3)[: model.launch.blocks]
    assert np.allclose(done, waves, atol=1)


def test_a_pixel_of_many_blocks_has_their_mean_color(
    vector_run: VectorRun, palette: Palette
) -> None:
    model = of_result(vector_run(1_000_000, block=1), "c")
    lattice = flow(model.launch.blocks, Room(60, 60, 56), Viewport())
    shading = shade_blocks(model, palette, BlockColor.WAVE, lattice)
    timeline = model.timeline
    assert timeline is not None
    assert lattice.bucket > 100
    expected = palette.waves[timeline.wave[: lattice.bucket] % 6].mean(axis=0)
    assert np.allclose(shading.at(1.0)[0, 0], expected, atol=12)


def test_a_change_fades_over_its_time(vector_run: VectorRun, palette: Palette) -> None:
    model = of_result(vector_run(1000), "c")
    lattice = flow(1000, Room(300, 300, 40), Viewport(), 32)
    shading = shade_elements(model, palette, (BlockColor.WAVE, DataColor.TIMES), lattice)
    when = float(model.written_at(np.array([0]))[0])
    halfway = shading.at(when + 0.5, fade_s=1.0)[0, 0]
    assert np.allclose(halfway, (palette.idle + palette.once) / 2, atol=1)


def test_hatch_lines_have_the_width_and_distance_of_the_design() -> None:
    for ratio in (1.0, 2.0):
        cover = hatch_cover(ratio)
        assert cover.shape == (round(7 * ratio),) * 2
        assert cover.mean() == pytest.approx(1.3 * np.sqrt(2) / 7, rel=0.15)


def test_single_faults_are_told_from_wide_ones() -> None:
    where = np.zeros((60, 60), dtype=np.bool_)
    where[5, 5] = True
    where[20:50, 20:50] = True
    found = wide(where)
    assert not found[5, 5]
    assert found[35, 35]


def test_the_whole_grid_that_cuda_allows_takes_no_more_than_its_pixels(palette: Palette) -> None:
    lattice = flow(2_147_483_647, Room(464, 542, 56), Viewport())
    samples = lattice.samples(8)
    assert samples.size <= 464 * 542 * 8
    assert samples.max() < 2_147_483_647


def test_running_blocks_are_framed_on_a_light_ground(
    vector_run: VectorRun, palette: Palette
) -> None:
    from PySide6.QtCore import QPoint

    model = of_result(vector_run(1000), "c")
    lattice = flow(model.launch.blocks, Room(64, 64, 16), Viewport(), 1)
    shading = shade_blocks(model, palette, BlockColor.STATE, lattice)
    picture = CellPicture(QPoint(0, 0), 1.0, lattice, shading, palette, 1)
    full = int(packed(palette.waves[0]))
    middle = colors_in(picture, model.duration_s / 2, faults=False)
    assert (full in middle) is not palette.dark
    assert full not in colors_in(picture, -1.0, faults=False)
    assert full in colors_in(picture, model.duration_s, faults=False)
