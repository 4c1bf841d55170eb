"""Kernels on a GPU, with numba-cuda (extra `cuda`): one game per thread.

What runs there is compiled from the same source as on the CPU. A state that a thread plays a whole
game in is its own local memory, which the GPU lays out so that neighbours read side by side.
"""

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy import int16, int32, int64, uint8, uint32, uint64

from mauerwerk.core.errors import SetupError
from mauerwerk.kernels import contract
from mauerwerk.kernels.compiler import Compiler, compiler_for
from mauerwerk.kernels.contract import Array, Int, compiled, launched
from mauerwerk.kernels.observation import WORD, Codes, Form
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.rewards import Scoring, record_points_at, write_rewards_at
from mauerwerk.kernels.play.stepping import Games

# numba-cuda 0.30 names what NumPy 2.5 no longer has.
if not hasattr(np, "row_stack"):
    setattr(np, "row_stack", np.vstack)  # noqa: B010 - type checkers do not know it any more

cuda: Any = import_module("numba.cuda")
bindings: Any = import_module("cuda.bindings.driver")

# A small batch is small on purpose, so that warnings at each launch would not help.
import_module("numba.cuda.dispatcher").config.CUDA_LOW_OCCUPANCY_WARNINGS = False

THREADS_A_BLOCK: Final = 128
BLOCKS_A_PROCESSOR: Final = 16
"""The number of threads that a multiprocessor can hold; no more are started than are needed."""

WARP: Final = 32
MOST_ROWS: Final = 128
MEMORY_OF_A_BLOCK: Final = 48 << 10
SMALL: Final = 256
"""The largest size of states that are copied to shared memory for a step, in bytes."""
THREADS_A_PROCESSOR: Final = 2048
SHARED_MEMORY: Final = 227 << 10
SHAPES: Final = ((256, (64, 1)), (1024, (32, 4)), (1 << 30, (8, 16)))
"""By the width of a row and its mask: how many rows a block has, and how many lanes a row.

The number of rows is a multiple of 8, so that a group of rows is a whole number of words, unless
so many rows have no room.
"""


Stream: TypeAlias = Any
"""One of numba-cuda, or 0 for the default one."""


class Shape(NamedTuple):
    """How rows are shared out among threads, and what is where in the shared memory of a block."""

    rows: int
    lane_bits: int
    """The logarithm of the number of lanes that share a row."""
    stride: int
    """The distance between two observations, in numbers."""
    first_slot: int
    """The first state, counted in states from the beginning."""
    at_features: int
    """Where observations begin, in bytes, and"""
    at_masks: int
    at_bits: int
    """where rows of bits begin, if that is their form."""
    memory: int
    actions: int


# --- What a GPU runs -------------------------------------------------------------------------


@launched
def play_on_gpu(setups: Array, results: Array, seed: Int, first: Int) -> None:
    """Every thread plays the game of its place, and then those one grid further on."""
    states = cuda.local.array(1, contract.STATE_TYPE)
    stepping.play_games(setups[0], states[0], results, seed, first, cuda.grid(1), cuda.gridsize(1))


@launched
def reset_on_gpu(games: Games, seed: Int, sums: Array) -> None:
    """One game per thread: begin it."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        stepping.reset_at(games, games.states[place], seed, place)
    if games.packed:
        add_up(games, sums)


@launched
def step_on_gpu(games: Games, seed: Int, sums: Array) -> None:
    """One game per thread: take a step."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        stepping.step_at(games, games.states[place], seed, place)
    if games.packed:
        add_up(games, sums)


@compiled
def staged(word: Int, slot: Int) -> Int:
    """Where a word of the state in this slot goes.

    States of an even number of words each have a spare word before them; see `STAGED_TYPE`.
    """
    return uint64(word + (slot + 1) * ((contract.STATE_WORDS | 1) - contract.STATE_WORDS))


@launched
def step_nearby_on_gpu(games: Games, seed: Int, sums: Array, states: Array) -> None:
    """The same with copies of the states in shared memory, where small ones have room.

    `states` are those of the games in words: threads side by side copy words side by side.
    """
    words = cuda.shared.array(0, int64)
    copies = cuda.shared.array(0, contract.STAGED_TYPE)
    place, thread = cuda.grid(1), cuda.threadIdx.x
    begin = cuda.blockIdx.x * cuda.blockDim.x
    number = min(cuda.blockDim.x, games.states.shape[0] - begin) * contract.STATE_WORDS
    word = thread
    while word < number:
        words[staged(word, word // contract.STATE_WORDS)] = states[
            uint64(begin * contract.STATE_WORDS + word)
        ]
        word += cuda.blockDim.x
    cuda.syncthreads()
    if place < games.states.shape[0]:
        stepping.step_at(games, copies[thread], seed, place)
    cuda.syncthreads()
    word = thread
    while word < number:
        states[uint64(begin * contract.STATE_WORDS + word)] = words[
            staged(word, word // contract.STATE_WORDS)
        ]
        word += cuda.blockDim.x
    if games.packed:
        add_up(games, sums)


@launched
def choose_on_gpu(games: Games, seed: Int) -> None:
    """One game per thread: choose by chance."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        stepping.choose_at(games, seed, place)


@launched
def find_illegal_on_gpu(games: Games, refused: Array) -> None:
    """One game per thread: find the first place with an illegal action."""
    place = cuda.grid(1)
    if place < games.states.shape[0] and stepping.is_illegal_at(games, place):
        cuda.atomic.min(refused, 0, place)


@launched
def record_points_on_gpu(games: Games, scoring: Scoring) -> None:
    """One game per thread: write down its points before a step."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        record_points_at(games, scoring, place)


@launched
def write_rewards_on_gpu(games: Games, scoring: Scoring) -> None:
    """One game per thread: write its points after a step, and rewards for them."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        write_rewards_at(games, scoring, place)


# --- Rows for those who are to act -----------------------------------------------------------


@compiled
def add_up(games: Games, sums: Array) -> None:
    """Write how many seats are to act in the games of this block."""
    place = cuda.grid(1)
    number = 0
    for seat in range(games.to_act.shape[1]):
        is_to_act = place < games.states.shape[0] and games.to_act[place, seat]
        number += cuda.syncthreads_count(int32(is_to_act))
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = number


@launched
def number_rows_on_gpu(games: Games, sums: Array) -> None:
    """One game per thread: number its rows, after those of all blocks and threads before it."""
    parts = cuda.shared.array(THREADS_A_BLOCK, int32)
    thread, size = cuda.threadIdx.x, games.states.shape[0]
    place = cuda.grid(1)
    part = 0
    for block in range(thread, cuda.blockIdx.x, THREADS_A_BLOCK):
        part += sums[block]
    before = sum_before(parts, part, THREADS_A_BLOCK)
    number = 0
    if place < size:
        for seat in range(games.to_act.shape[1]):
            number += games.to_act[place, seat]
    row = before + sum_before(parts, number, thread)
    if place < size:
        games.first_rows[place] = row
        for seat in range(games.to_act.shape[1]):
            if games.to_act[place, seat]:
                games.row_games[row] = place
                games.row_seats[row] = seat
                row += 1
        if place == size - 1:
            games.first_rows[size] = row


@compiled
def sum_before(parts: Array, part: Int, end: Int) -> Int:
    """The sum of the parts of all threads of a block before this one."""
    thread = cuda.threadIdx.x
    cuda.syncthreads()
    parts[thread] = part
    step = 1
    while step < THREADS_A_BLOCK:
        cuda.syncthreads()
        more = parts[thread - step] if thread >= step else 0
        cuda.syncthreads()
        parts[thread] += more
        step *= 2
    cuda.syncthreads()
    return parts[end - 1] if end else 0


# --- Words that a block clears and copies ----------------------------------------------------
#
# A row that a seat sees is written once and copied once, so that copying must cost little. What
# each thread copies lies at constant distances, which are part of its instructions. Indices are
# unsigned, since Numba counts negative ones from the end: to find out which they are would take
# more instructions than the copying itself. A block consists of whole warps.


@compiled
def clear(words: Array, begin: Int, number: Int) -> None:
    """Write 0 into this many words, from `begin` on."""
    first = first_of_four()
    here = words[begin:]
    while first + 3 * WARP < number:
        here[uint64(first)] = 0
        here[uint64(first + WARP)] = 0
        here[uint64(first + 2 * WARP)] = 0
        here[uint64(first + 3 * WARP)] = 0
        first += 4 * cuda.blockDim.x
    while first < number:
        here[uint64(first)] = 0
        first += WARP


@compiled
def copy(words: Array, begin: Int, to: Array, at: Int, number: Int) -> None:
    """Copy this many words."""
    first = first_of_four()
    here, there = words[begin:], to[at:]
    while first + 3 * WARP < number:
        there[uint64(first)] = here[uint64(first)]
        there[uint64(first + WARP)] = here[uint64(first + WARP)]
        there[uint64(first + 2 * WARP)] = here[uint64(first + 2 * WARP)]
        there[uint64(first + 3 * WARP)] = here[uint64(first + 3 * WARP)]
        first += 4 * cuda.blockDim.x
    while first < number:
        there[uint64(first)] = here[uint64(first)]
        first += WARP


@compiled
def first_of_four() -> Int:
    """The first of the words that a thread copies; three more follow, each a warp further on."""
    thread = int64(cuda.threadIdx.x)
    return (thread >> 5 << 7) + (thread & WARP - 1)


@compiled
def copy_rows(words: Array, begin: Int, to: Array, at: Int, rows: Int, number: Int) -> None:
    """Copy rows of this many words; in shared memory one word is left out after each row.

    Each warp copies the rows that its own lanes have written, four at once as far as it can. So
    every warp has the same number of rows.
    """
    thread, share = int64(cuda.threadIdx.x), int64(rows // (cuda.blockDim.x >> 5))
    gap, place = number + 1, thread & WARP - 1
    while place < number:
        row = (thread >> 5) * share
        source, target, left = begin + row * gap + place, at + row * number + place, share
        while left >= 4:  # noqa: PLR2004 - as below
            to[uint64(target)] = words[uint64(source)]
            to[uint64(target + number)] = words[uint64(source + gap)]
            to[uint64(target + 2 * number)] = words[uint64(source + 2 * gap)]
            to[uint64(target + 3 * number)] = words[uint64(source + 3 * gap)]
            source, target, left = source + 4 * gap, target + 4 * number, left - 4
        while left > 0:
            to[uint64(target)] = words[uint64(source)]
            source, target, left = source + gap, target + number, left - 1
        place += WARP


# --- What seats see --------------------------------------------------------------------------


@compiled
def fetch_setup(setups: Array) -> None:
    """Copy the setup to the beginning of the shared memory of a block."""
    words = cuda.shared.array(0, int32)
    word = cuda.threadIdx.x
    while word < contract.SETUP_WORDS:
        words[word] = setups[word]
        word += cuda.blockDim.x


@compiled
def compose(games: Games, states: Array, group: Int, shape: Shape, actions: Int) -> None:
    """Write a group of rows side by side into the shared memory of a block.

    There is the setup, then copies of the states, then the observations with this stride, then the
    masks. So many lanes share each row.
    """
    words = cuda.shared.array(0, int64)
    marks = cuda.shared.array(0, uint8)
    features = cuda.shared.array(0, int16)
    setup, copies = (
        cuda.shared.array(0, contract.SETUP_TYPE)[0],
        cuda.shared.array(0, contract.STAGED_TYPE),
    )
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    seats = uint32(games.to_act.shape[1])  # words of 64 bits take long to divide
    first, end = group * shape.rows, min(group * shape.rows + shape.rows, rows_of(games))
    begin = int64(uint32(first) // seats)
    number = end - first if games.packed else int64(uint32(end - 1) // seats) + 1 - begin
    word = thread
    while word < number * contract.STATE_WORDS:
        slot = int64(uint32(word) // uint32(contract.STATE_WORDS))
        game = int64(games.row_games[first + slot]) if games.packed else begin + slot
        to = staged(shape.first_slot * contract.STATE_WORDS + word, shape.first_slot + slot)
        words[to] = states[uint64((game - slot) * contract.STATE_WORDS + word)]
        word += threads
    clear(words, shape.at_features >> 3, (shape.memory - shape.at_features) >> 3)
    cuda.syncthreads()
    lanes = 1 << shape.lane_bits
    here, lane = thread >> shape.lane_bits, thread & lanes - 1
    row = first + here
    if row < end:
        slot, seat = int64(uint32(row) // seats) - begin, int64(uint32(row) % seats)
        if games.packed:
            slot, seat = here, int64(games.row_seats[row])
        state = copies[shape.first_slot + slot]
        at = shape.at_masks + here * actions
        contract.legal(setup, state, seat, marks[at : at + actions], lane, lanes)
        if games.observations.shape[1]:
            at = (shape.at_features >> 1) + here * shape.stride
            contract.observe(setup, state, seat, features[at : at + shape.stride], lane, lanes)
    cuda.syncthreads()


@compiled
def rows_of(games: Games) -> Int:
    """How many rows there are."""
    if games.packed:
        return int64(games.first_rows[games.states.shape[0]])
    return games.states.shape[0] * games.to_act.shape[1]


@launched
def write_rows_on_gpu(
    games: Games, setups: Array, states: Array, masks: Array, observations: Array, shape: Shape
) -> None:
    """One group of rows per block: write their legal actions and what they see.

    The arrays are those of the games in words, so that neighbouring threads write neighbouring
    words. Rows follow each other without gaps, in shared memory too, if the stride is the width;
    otherwise one word is left out after each row.
    """
    words = cuda.shared.array(0, int64)
    rows, width, actions = shape.rows, games.observations.shape[1], games.masks.shape[1]
    at_features, at_masks = shape.at_features >> 3, shape.at_masks >> 3
    mask_words, row_words = rows * actions >> 3, rows * width >> 2
    fetch_setup(setups)
    group = cuda.blockIdx.x
    while group * rows < rows_of(games):
        compose(games, states, group, shape, actions)
        copy(words, at_masks, masks, group * mask_words, mask_words)
        if shape.stride == width:
            copy(words, at_features, observations, group * row_words, row_words)
        else:
            copy_rows(words, at_features, observations, group * row_words, rows, width >> 2)
        cuda.syncthreads()
        group += cuda.gridDim.x


@launched
def write_encoded_rows_on_gpu(
    games: Games,
    setups: Array,
    states: Array,
    masks: Array,
    observations: Array,
    codes: Codes,
    shape: Shape,
) -> None:
    """The same in another form; `masks` and `observations` are the arrays of the games, flat."""
    marks = cuda.shared.array(0, uint8)
    features = cuda.shared.array(0, int16)
    bits = cuda.shared.array(0, int32)
    thread, threads = cuda.threadIdx.x, cuda.blockDim.x
    width, of_mask = games.observations.shape[1], games.masks.shape[1]
    fetch_setup(setups)
    group, end = cuda.blockIdx.x, rows_of(games)
    while group * shape.rows < end:
        compose(games, states, group, shape, shape.actions)
        first, number = group * shape.rows, min(shape.rows, end - group * shape.rows)
        at_bits = shape.at_bits >> 2
        at_numbers = at_bits + shape.rows * of_mask
        row = thread >> 5
        while row < number:
            at_mask = shape.at_masks + row * shape.actions
            at_row = (shape.at_features >> 1) + row * shape.stride
            place = thread & WARP - 1
            while place < shape.actions:
                if of_mask == shape.actions:
                    masks[(first + row) * of_mask + place] = marks[at_mask + place]
                elif marks[at_mask + place]:
                    word = at_bits + row * of_mask + (place >> 5)
                    cuda.atomic.or_(bits, word, int32(1 << (place & WORD - 1)))
                place += WARP
            place = thread & WARP - 1
            while width and place < codes.tops.shape[0]:
                feature = features[at_row + place]
                if of_mask == shape.actions:
                    feature = min(feature, codes.tops[0])
                    observations[(first + row) * width + place] = feature
                elif feature:
                    feature = min(feature, codes.tops[place]) << codes.shifts[place]
                    word = at_numbers + row * width + codes.words[place]
                    cuda.atomic.or_(bits, word, int32(feature))
                place += WARP
            row += threads >> 5
        cuda.syncthreads()
        if of_mask != shape.actions:
            copy(bits, at_bits, masks, first * of_mask, number * of_mask)
            copy(bits, at_numbers, observations, first * width, number * width)
            cuda.syncthreads()
        group += cuda.gridDim.x


# --- On the host -----------------------------------------------------------------------------


def check_gpu() -> None:
    """Refuse to continue without a GPU."""
    if not cuda.is_available():
        raise SetupError("there is no GPU here that numba-cuda can use")


def play(name: str, packed_setup: Array, results: Array, key: np.uint64, first: int) -> None:
    """Play as many games as there is room for results."""
    played = cuda.device_array(results.shape, results.dtype)
    play_there(name, cuda.to_device(packed_setup), played, key, first)
    played.copy_to_host(results)


def play_there(name: str, packed_setup: Array, results: Array, key: np.uint64, first: int) -> None:
    """The same with setup and results on the GPU; does not wait for the end."""
    if len(results):
        processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        blocks = min(_blocks(len(results)), BLOCKS_A_PROCESSOR * processors)
        entry = compiler_for(name, "cuda").entry(play_on_gpu)
        entry[blocks, THREADS_A_BLOCK](packed_setup, results, key, first)


def _blocks(threads: int) -> int:
    return -(-threads // THREADS_A_BLOCK)


class CudaBackend:
    """A GPU that does the work of a `Batch`; its arrays have the CUDA array interface."""

    def __init__(self, compiler: Compiler, form: Form, codes: Codes, actions: int) -> None:
        """Find the functions; each is compiled when it is first launched."""
        self._compiler, self._entry = compiler, compiler.entry
        self._refused = cuda.to_device(np.zeros(1, np.int64))
        self._words: dict[int, Array] = {}
        self._sums: Array = None
        self._form = form
        self._plain = form == "int16"
        self._codes, self._actions = Codes(*map(cuda.to_device, codes)), actions
        self._shape: Shape | None = None
        self._kernel: Any = compiler.kernel
        self._graphs: dict[str, tuple[np.uint64, Any]] = {}
        self._stream = cuda.stream()
        """Where steps run: batches that take theirs at the same time do not wait for each other.

        It waits for all that the default stream has to do, and the default stream waits for it."""

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array on the GPU, with room for a whole group of rows after its end."""
        size = math.prod(shape) * np.dtype(kind).itemsize
        spare = math.prod(shape[1:]) * np.dtype(kind).itemsize * MOST_ROWS
        words = cuda.device_array(-(-(size + spare) // 8), np.int64)
        import_module("numba.cuda.cudadrv.driver").device_memset(words, 0, words.nbytes)
        array = words.view(np.uint8)[:size].view(kind).reshape(shape)
        self._words[array.device_ctypes_pointer.value] = words
        return array

    def on_device(self, array: Array, /) -> Array:
        """A copy on the GPU."""
        return cuda.to_device(array)

    def reset(self, games: Games, key: np.uint64) -> None:
        """Begin all games, and write what their seats see; does not wait for the end."""
        if self._sums is None:
            self._sums = cuda.to_device(np.zeros(_blocks(len(games.states)), np.int32))
        self._launch(0, reset_on_gpu, games, key, self._sums)
        self._write_rows(0, games)

    def step(self, games: Games, key: np.uint64, *, checked: bool) -> int:
        """Take a step in all games, and write what their seats see.

        Waits for the GPU only to check the actions.
        """
        if checked and (place := self._first_illegal(games)) >= 0:
            return place

        def step_on(stream: Stream) -> None:
            size = 8 * (self._kernel.STATE.itemsize // 8 | 1)
            if size <= SMALL:
                entry = self._entry(step_nearby_on_gpu)
                blocks, memory = _blocks(len(games.states)), size * THREADS_A_BLOCK
                launch = entry[blocks, THREADS_A_BLOCK, stream, memory]
                launch(games, key, self._sums, self._words_of(games.states))
            else:
                self._launch(stream, step_on_gpu, games, key, self._sums)
            self._write_rows(stream, games)

        self._replay("step", key, step_on)
        return -1

    def choose(self, games: Games, key: np.uint64) -> None:
        """Choose in all games; does not wait for the end."""

        def choose_on(stream: Stream) -> None:
            self._launch(stream, choose_on_gpu, games, key)

        self._replay("choose", key, choose_on)

    def suggest(
        self, games: Games, suggestions: Array, key: np.uint64, places: range | None
    ) -> None:
        """Let the CPU write what rules of thumb would do: they branch too much for a GPU.

        Waits for both.
        """
        here = Games._make(map(_to_host, games.without_rows()))
        there = self._compiler
        compiler = compiler_for(there.game, "cpu", remember=there.remember, part=there.part)
        found = np.zeros(len(suggestions), np.int16)
        room = np.zeros(1, self._kernel.ROOM)
        places = range(len(here.states)) if places is None else places
        compiler.entry(stepping.suggest)(here, found, room, key, places.start, places.stop)
        suggestions.copy_to_device(found)

    def record_points(self, games: Games, scoring: Scoring) -> None:
        """Write down the points before a step; does not wait for the end."""
        self._launch(0, record_points_on_gpu, games, scoring)

    def write_rewards(self, games: Games, scoring: Scoring) -> None:
        """Write the points after a step, and rewards for them; does not wait for the end."""
        self._launch(0, write_rewards_on_gpu, games, scoring)

    def write(self, array: Array, content: Any, /) -> None:  # noqa: ANN401 - an array
        """Copy what has the CUDA array interface, such as a tensor, into an array of the batch."""
        array.copy_to_device(cuda.as_cuda_array(content))

    def _first_illegal(self, games: Games) -> int:
        """The first place with an action that is not allowed; -1 without one. Waits for it."""
        none = len(games.states)
        self._refused[0] = none
        self._launch(0, find_illegal_on_gpu, games, self._refused)
        place = int(self._refused.copy_to_host()[0])
        return -1 if place == none else place

    def _replay(self, name: str, key: np.uint64, launch: Callable[[Any], None]) -> None:
        """Launch the same kernels as the last time, which a graph does in a tenth of the time.

        All arrays stay where they are, so that only a new seed needs a new graph.
        """
        kept, graph = self._graphs.get(name, (None, None))
        if kept == key:
            _checked(bindings.cuGraphLaunch(graph, int(self._stream)))
            return
        launch(0)  # what has to be compiled and loaded cannot be while a graph is made
        self._graphs[name] = key, _graph_of(launch)

    def _write_rows(self, stream: Stream, games: Games) -> None:
        if games.packed:
            self._launch(stream, number_rows_on_gpu, games, self._sums)
        shape = self._shape = self._shape or self._shape_for(games)
        given: tuple[Any, ...]
        if self._plain and shape.rows % 8 == 0:
            entry = self._entry(write_rows_on_gpu)
            given = (self._words_of(games.masks), self._words_of(games.observations))
        else:
            entry = self._entry(write_encoded_rows_on_gpu)
            given = (_flat(games.masks), _flat(games.observations), self._codes)
        given = (games.setups.view(np.int32), self._words_of(games.states), *given, shape)
        threads = shape.rows << shape.lane_bits
        groups = -(-len(games.actions) // shape.rows)
        resident = min(THREADS_A_PROCESSOR // threads, SHARED_MEMORY // (shape.memory + 1024))
        processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        entry[min(groups, resident * processors), threads, stream, shape.memory](games, *given)

    def _shape_for(self, games: Games) -> Shape:
        """The more there is in a row, the more lanes; rows must not lie in the same banks."""
        width = len(self._codes.tops) if games.observations.shape[1] else 0
        rows, lanes = next(shape for most, shape in SHAPES if width + self._actions <= most)
        shape = self._shape_of(games, rows, lanes, width)
        while shape.memory > MEMORY_OF_A_BLOCK:
            rows //= 2
            lanes = max(lanes, WARP // rows)  # a block consists of whole warps
            shape = self._shape_of(games, rows, lanes, width)
        return shape

    def _shape_of(self, games: Games, rows: int, lanes: int, width: int) -> Shape:
        stride = width + 4 if width and width % 4 == 0 else width
        state = 8 * (self._kernel.STATE.itemsize // 8 | 1)
        first_slot = -(-self._kernel.SETUP.itemsize // state)
        slots = rows if games.packed else rows // games.to_act.shape[1] + 2
        at_features = (first_slot + slots) * state
        at_masks = at_features + 2 * rows * stride
        at_bits = -(-(at_masks + rows * self._actions) // 8) * 8
        words = games.masks.shape[1] + games.observations.shape[1]
        memory = at_bits + (4 * rows * words if self._form == "bits" else 0)
        places = (first_slot, at_features, at_masks, at_bits)
        memory = -(-memory // 8) * 8
        return Shape(rows, lanes.bit_length() - 1, stride, *places, memory, self._actions)

    def _words_of(self, array: Array) -> Array:
        return self._words[array.device_ctypes_pointer.value]

    def _launch(
        self, stream: Stream, function: Callable[..., None], games: Games, *given: Array
    ) -> None:
        self._entry(function)[_blocks(len(games.states)), THREADS_A_BLOCK, stream](games, *given)


def _graph_of(launch: Callable[[Any], None]) -> Any:  # noqa: ANN401 - CUDA's
    """What is launched here, to be launched again all at once."""
    stream = cuda.stream()
    relaxed = bindings.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    _checked(bindings.cuStreamBeginCapture(int(stream), relaxed))
    launch(stream)
    graph = _checked(bindings.cuStreamEndCapture(int(stream)))
    return _checked(bindings.cuGraphInstantiate(graph, 0))


def _checked(answer: tuple[Any, ...]) -> Any:  # noqa: ANN401 - CUDA's
    """The result of a call of the driver."""
    fault, *result = answer
    if fault != bindings.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the GPU's driver reports {fault.name}")
    return result[0] if result else None


def _to_host(thing: Any) -> Any:  # noqa: ANN401 - an array or a flag
    """An array of the GPU as one of the CPU; anything else as it is."""
    return thing.copy_to_host() if hasattr(thing, "copy_to_host") else thing


def _flat(array: Array) -> Array:
    return array.reshape(math.prod(array.shape))
