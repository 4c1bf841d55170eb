// The search of a game in a worker of its own, without Python: the module of the game, the file of
// its network, and a position that Python has packed (`kernels.search.packed`) lead to an answer.
//
//   const thinker = new Thinker(await WebAssembly.compileStreaming(fetch(module)), networkBytes);
//   const answer = await thinker.think({...request, seconds: 0.5}, {signal});
//
// With a number of simulations the answer is the same to the last bit as that of Python's
// `TreeSearch` with one thread. By the clock it looks at the time after every slice of a few
// milliseconds. It waits for no timer, so a tab in the background keeps its deadline; between two
// slices it lets messages through, so that it can be cancelled.
//
// As the script of a worker, `think-worker.mjs` answers messages: see `serve`.

const LINE = 64;
const PAGE = 65536;
const STACK = 65536;
const SLOT = 8;
const SLICE = 4; // milliseconds between two looks at the clock
const STRIDE = 256; // simulations in a slice where time does not matter
const FIRST_LOOK = 1024; // simulations before a mixed strategy is first checked for convergence
const IN_THE_TREE = ["c_puct", "fpu_reduction", "epsilon", "prior_weight", "prior_temperature",
  "expand_after_visits", "value_weight"];
const NODES = 0, DONE = 2, STEPS = 3;

// --- Files ----------------------------------------------------------------------------------

/** What a module says about itself. */
export function described(module) {
  const [section] = WebAssembly.Module.customSections(module, "mauerwerk");
  if (!section) throw new Error("this is not the module of a game");
  return JSON.parse(new TextDecoder().decode(section));
}

/** The number that these 16 bits are. */
function half(bits) {
  const exponent = (bits >> 10) & 31, rest = bits & 1023, sign = bits >> 15 ? -1 : 1;
  if (exponent === 0) return sign * rest * 2 ** -24;
  return sign * (1 + rest / 1024) * 2 ** (exponent - 15);
}

/** The arrays of a file in the format safetensors, and its card. */
export function tensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begin = 8 + Number(view.getBigUint64(0, true));
  const { __metadata__: card = {}, ...entries } =
    JSON.parse(new TextDecoder().decode(bytes.subarray(8, begin)));
  const arrays = {};
  for (const [name, { dtype, shape, data_offsets: [first, last] }] of Object.entries(entries)) {
    const size = dtype === "F16" ? 2 : 4;
    const numbers = new Float32Array((last - first) / size);
    for (let at = begin + first, n = 0; n < numbers.length; at += size, n++)
      numbers[n] = size === 2 ? half(view.getUint16(at, true)) : view.getFloat32(at, true);
    arrays[name] = { shape, numbers };
  }
  return { arrays, card };
}

/** What `networks.forward.inference_of` makes of a network: all weights in one row, and places. */
function inference({ arrays, card }, seats) {
  const none = { numbers: new Float32Array(0) };
  const get = (name) => (arrays[name] ?? none).numbers;
  const policy = arrays["policy.weight"];
  const [width, actions] = policy.shape;
  const turned = new Float32Array(width * actions);
  for (let row = 0; row < width; row++)
    for (let column = 0; column < actions; column++)
      turned[column * width + row] = policy.numbers[row * actions + column];
  const parts = [get("scale"), get("body.0.weight"), get("body.0.bias"), get("body.1.weight"),
    get("body.1.bias"), turned, ...["policy.bias", "wins.weight", "wins.bias", "points.weight",
      "points.bias", "hidden.weight", "hidden.bias", "lookup.weight", "lookup.bias"].map(get)];
  const begins = [0];
  for (const part of parts) begins.push(begins.at(-1) + part.length);
  const weights = new Float32Array(begins.pop());
  parts.forEach((part, n) => weights.set(part, begins[n]));
  const first = parts[2].length, second = parts[4].length, logits = first + second;
  const inputs = parts[0].length, shares = logits + actions, worth = shares + seats;
  const lookup = card.lookup?.split(" ").map(Number) ?? [0, inputs, 0, 0];
  const sizes = [inputs, first, second, parts[8].length, logits, shares, worth, ...lookup];
  return { weights, offsets: BigInt64Array.from([...sizes, ...begins], BigInt),
    features: new Int16Array(inputs), activations: new Float32Array(worth + lookup[3]) };
}

// --- Slices of time -------------------------------------------------------------------------

/** Let messages through. Unlike timers, this is not slowed down in a tab in the background. */
function breathe() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); resolve(); };
    port2.postMessage(0);
  });
}

async function runUntil(simulate, decided, until, signal) {
  let first = 1, number = 16;
  const began = performance.now();
  for (;;) {
    simulate(first, number);
    first += number;
    const now = performance.now();
    const rate = Math.max(now - began, 1e-3) / (first - 1);
    number = Math.min(4 * number, Math.trunc(Math.min(SLICE, until - now) / rate));
    if (number < 1 || decided((until - now) / rate)) return;
    await breathe();
    signal?.throwIfAborted();
  }
}

async function runThrough(simulate, decided, simulations, signal) {
  for (let first = 1; first <= simulations; first += STRIDE) {
    const left = simulations + 1 - first;
    if (decided(left)) return;
    simulate(first, Math.min(STRIDE, left));
    await breathe();
    signal?.throwIfAborted();
  }
}

// --- The search -----------------------------------------------------------------------------

/** Searches one game; one search at a time. */
export class Thinker {
  /** The module of the game, compiled, and the bytes of a network's file, if one guides. */
  constructor(module, network = null) {
    this.about = described(module);
    this.network = network && tensors(network);
    const top = LINE + up(this.about.data, LINE) + STACK;
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(top / PAGE), maximum: 65536 });
    const global = (value, mutable = false) => new WebAssembly.Global({ value: "i32", mutable }, value);
    const env = { memory: this.memory, __memory_base: global(LINE), __table_base: global(0),
      __stack_pointer: global(top, true) };
    this.exports = new WebAssembly.Instance(module, { env }).exports;
    this.bottom = this.end = top;
    this.rooms = null;
    this.busy = false;
  }

  /** Think about a request for so many `seconds`, or so many `simulations`. */
  async think(request, { signal } = {}) {
    if (this.busy) throw new Error("this search is busy");
    this.busy = true;
    try {
      signal?.throwIfAborted();
      return await this.#search(request, signal);
    } finally {
      this.busy = false;
    }
  }

  async #search(request, signal) {
    const until = performance.now() + 1000 * (request.seconds ?? 0);
    const { settings, seat } = request;
    if (request.game !== this.about.game) throw new Error(`this module is for ${this.about.game}`);
    const tree = this.#tree(request);
    const belief = request.belief.map((each) => this.#given(each));
    const together = () => this.#call("chosen_together", request, [tree.leaves]) !== 0;
    const rootOf = () => Number(this.#call("root_of", request, [tree.leaves, belief, seat]));
    const seed = BigInt.asIntN(64, BigInt(request.seed));
    const simulate = (first, number) =>
      this.#call("simulate", request, [tree.leaves, belief, seat, seed, first, number]);
    const edges = (node) => {
      const begin = tree.read("first_edges")[node];
      return [begin, begin + tree.read("edge_counts")[node]];
    };
    const strategy = (node) => {
      const degrees = tree.read("settings")[IN_THE_TREE.length] * settings.strategy_temperature;
      const total = this.#call("mix_strategy", request, [tree.leaves, node, { float: degrees }]);
      return Array.from(tree.read("strategy").subarray(...edges(node)), (each) => each / total);
    };

    let decided = () => false;
    if (request.decide) {
      simulate(0, 1);
      const root = rootOf();
      if (root >= 0) decided = this.#test(tree, root, edges, together, strategy, settings);
    }
    if (!decided(Infinity)) {
      if (request.simulations == null) await runUntil(simulate, decided, until, signal);
      else await runThrough(simulate, decided, request.simulations, signal);
    }

    const root = rootOf();
    const mixed = together();
    const [begin, end] = root >= 0 ? edges(root) : [0, 0];
    const visits = Array.from(tree.read("visits").subarray(begin, end));
    const sums = tree.read("value_sums").subarray(begin, end);
    const all = Math.max(visits.reduce((sum, each) => sum + each, 0), 1);
    const counts = Array.from(tree.read("counts"), Number);
    const answer = {
      actions: Array.from(tree.read("actions").subarray(begin, end)),
      values: Array.from(sums, (sum, edge) => sum / Math.max(visits[edge], 1)),
      visits,
      policy: visits.map((each) => each / all),
      mixed,
      chances: Array.from(tree.read("value_totals").subarray(0, request.seats),
        (total) => total / Math.max(counts[DONE], 1)),
      simulations: counts[DONE],
      decisions: counts[STEPS],
      nodes: counts[NODES],
    };
    if (mixed && root >= 0) answer.policy = strategy(root);
    answer.tried = this.#tried(tree, request);
    return answer;
  }

  /** A test whether this many more simulations cannot change the answer. */
  #test(tree, root, edges, together, strategy, settings) {
    const [begin, end] = edges(root);
    if (end - begin === 1) return () => true;
    if (!together()) {
      return (left) => {
        let first = 0, second = 0;
        for (const each of tree.read("visits").subarray(begin, end)) {
          if (each > first) [first, second] = [each, first];
          else if (each > second) second = each;
        }
        return first - second > settings.catch_up_share * left;
      };
    }
    let due = FIRST_LOOK, now = null;
    return () => {
      const visits = tree.read("node_visits")[root];
      if (visits < due) return false;
      const before = now;
      now = strategy(root);
      due = 2 * visits;
      if (before === null) return false;
      const change = now.reduce((sum, each, place) => sum + Math.abs(each - before[place]), 0);
      return change / 2 < settings.convergence_threshold;
    };
  }

  #tried(tree, request) {
    const rows = [0, 1].map(() => this.#array("i", 8, [request.actions]));
    const number = Number(
      this.#call("canonical_actions", request, [tree.leaves, request.seat, ...rows]));
    const [choices, tried] = rows.map((row) => this.#view(row).subarray(0, number));
    return Array.from(choices, (choice, place) => [Number(choice), Number(tried[place])]);
  }

  // --- Memory ---

  /** The arrays of the tree, with the position in it; the largest are made once. */
  #tree({ settings, remembers, setup, root }) {
    const variant = remembers ? "memory" : "plain";
    const key = [variant, settings.nodes, settings.edges].join();
    if (this.rooms?.key !== key) {
      this.end = this.bottom;
      const made = {};
      for (const [name, kind, size, [fixed, nodes, edges]] of this.about.tree[variant])
        made[name] = this.#array(kind, size,
          [fixed + nodes * settings.nodes + edges * settings.edges]);
      const brought = this.network && inference(this.network, made.values.shape[0]);
      for (const [name, numbers] of Object.entries(brought ?? {}))
        made[`inference.${name}`] = this.#given(numbers);
      this.rooms = { key, made, end: this.end };
    }
    this.end = this.rooms.end;
    const arrays = { ...this.rooms.made };
    for (const name of ["table_nodes", "visited_once", "counts", "value_totals", "states",
      "inference.features", "inference.activations"])
      this.#bytes(arrays[name]).fill(0);
    arrays.setups = this.#given({ kind: "V", size: setup.length, shape: [1], bytes: setup });
    this.#bytes(arrays.states).set(root);
    this.#view(arrays.settings).set([...IN_THE_TREE.map((name) => settings[name]), 1]);
    return { leaves: this.about.tree[variant].map(([name]) => arrays[name]),
      read: (name) => this.#view(arrays[name]) };
  }

  #array(kind, size, shape) {
    const items = shape.reduce((product, each) => product * each, 1);
    const at = this.#take(items * size);
    return { at, kind, size, shape, items };
  }

  /** An array with this content: typed, or as Python packed it. */
  #given(content) {
    if (ArrayBuffer.isView(content)) {
      const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
      const kind = content instanceof Float32Array ? "f" : "i";
      const size = content.BYTES_PER_ELEMENT;
      return this.#given({ kind, size, shape: [content.length], bytes });
    }
    const array = this.#array(content.kind, content.size, content.shape);
    this.#bytes(array).set(content.bytes);
    return array;
  }

  #take(size) {
    const at = this.end;
    this.end = up(at + Math.max(size, 1), LINE);
    const missing = this.end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return at;
  }

  #bytes({ at, items, size }) {
    return new Uint8Array(this.memory.buffer, at, items * size);
  }

  #view({ at, items, kind, size }) {
    const types = { i1: Int8Array, i2: Int16Array, i4: Int32Array, i8: BigInt64Array,
      u4: Uint32Array, u8: BigUint64Array, f4: Float32Array, f8: Float64Array };
    return new (types[`${kind}${size}`] ?? Float64Array)(this.memory.buffer, at,
      kind === "V" ? items * size / 8 : items);
  }

  /** Call a function of the search with arrays and numbers; what it returns, if anything. */
  #call(name, { remembers }, given) {
    const long = `search.tree.${name}${remembers ? ".memory" : ""}.advice`;
    const [{ export: short, result }] = this.about.functions[long];
    const leaves = given.flat();
    const size = leaves.reduce((sum, leaf) => sum + (leaf.shape ? 5 + 2 * leaf.shape.length : 1), 0);
    const kept = this.end;
    const block = this.#take(SLOT * (size + 2));
    const words = new DataView(this.memory.buffer, block, SLOT * (size + 2));
    let at = 0;
    const put = (word) => { words.setBigInt64(at, BigInt(word), true); at += SLOT; };
    for (const leaf of leaves) {
      if (leaf.shape) {
        let stride = leaf.size;
        const strides = leaf.shape.map(() => 0);
        for (let axis = leaf.shape.length - 1; axis >= 0; axis--) {
          strides[axis] = stride;
          stride *= leaf.shape[axis];
        }
        [0, 0, leaf.items, leaf.size, leaf.at, ...leaf.shape, ...strides].forEach(put);
      } else if (leaf.float !== undefined) {
        words.setFloat64(at, leaf.float, true);
        at += SLOT;
      } else put(leaf);
    }
    const status = this.exports[short](block);
    this.end = kept;
    if (status !== 0 && status !== -2) throw new Error(`${name} failed with ${status}`);
    if (result === "f") return words.getFloat64(at, true);
    if (result === "b") return words.getUint8(at);
    return result && words.getBigInt64(at, true);
  }
}

function up(size, unit) {
  return Math.ceil(size / unit) * unit;
}

// --- As a worker ----------------------------------------------------------------------------

/**
 * Answer the messages that come to a port, or to a worker's own scope:
 *   {id, load: {module, network}}: a compiled module or its bytes, and bytes of a network or nothing
 *   {id, think: request}          answered by {id, answer}
 *   {id, cancel: true}            ends the thinking with this id
 * Every `load` and `think` is answered, with {id, fault: words} if it failed or was cancelled.
 */
export function serve(port) {
  let thinker = null, last = Promise.resolve();
  const cancels = new Map();
  port.onmessage = ({ data: { id, load, think, cancel } }) => {
    if (cancel) return cancels.get(id)?.abort(new Error("cancelled"));
    const control = new AbortController();
    cancels.set(id, control);
    const began = performance.now();
    last = last.then(async () => {
      try {
        if (load) {
          const { module, network } = load;
          const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
          thinker = new Thinker(compiled, network ?? null);
          port.postMessage({ id, answer: { game: thinker.about.game, source: thinker.about.source } });
        } else {
          if (!thinker) throw new Error("nothing is loaded yet");
          const waited = (performance.now() - began) / 1000;
          const left = think.seconds == null ? {} : { seconds: Math.max(think.seconds - waited, 0) };
          const answer = await thinker.think({ ...think, ...left }, { signal: control.signal });
          port.postMessage({ id, answer });
        }
      } catch (fault) {
        port.postMessage({ id, fault: String(fault?.message ?? fault) });
      } finally {
        cancels.delete(id);
      }
    });
  };
}
