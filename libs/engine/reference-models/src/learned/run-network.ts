import type { Layer, Matrix, Network } from "./network-file.ts";

const epsilon = 1e-5;
const theta = 10_000;

/** A text in the middle of being read or written: what each layer keeps of the tokens before. */
export interface Reading {
  /** Logits of the token after this one. Throws when the text gets longer than the network can read. */
  next(token: number): Float32Array;
}

/** Begins a text. The network is a decoder as Llama has it: RMSNorm, rotary positions, SwiGLU, no biases. */
export function startReading({ shape, table, layers, after }: Network): Reading {
  const { width, heads, longest } = shape;
  const kept = layers.map(() => ({
    keys: new Float32Array(longest * width),
    values: new Float32Array(longest * width),
  }));
  let at = 0;
  return {
    next(token) {
      if (at >= longest) throw new Error(`the network reads at most ${longest} tokens`);
      const x = table.weights.slice(token * width, (token + 1) * width);
      for (const [place, layer] of layers.entries()) {
        const own = kept[place];
        if (own) attend(layer, x, own, { at, heads });
        feedForward(layer, x);
      }
      at += 1;
      return times(table, normed(x, after));
    },
  };
}

interface Kept {
  readonly keys: Float32Array;
  readonly values: Float32Array;
}

/** Adds to x what the token takes from those before it, and keeps its own key and value. */
function attend(
  layer: Layer,
  x: Float32Array,
  { keys, values }: Kept,
  where: { at: number; heads: number },
): void {
  const { at, heads } = where;
  const { length: width } = x;
  const size = width / heads;
  const input = normed(x, layer.before);
  const query = turned(times(layer.query, input), at, size);
  keys.set(turned(times(layer.key, input), at, size), at * width);
  values.set(times(layer.value, input), at * width);
  const seen = new Float32Array(width);
  for (let from = 0; from < width; from += size) {
    const likeness = new Float32Array(at + 1);
    for (let place = 0; place <= at; place++) {
      let sum = 0;
      for (let i = from; i < from + size; i++)
        sum += (query[i] as number) * (keys[place * width + i] as number);
      likeness[place] = sum / Math.sqrt(size);
    }
    const shares = softmax(likeness);
    for (let place = 0; place <= at; place++) {
      const share = shares[place] as number;
      for (let i = from; i < from + size; i++)
        seen[i] = (seen[i] as number) + share * (values[place * width + i] as number);
    }
  }
  add(x, times(layer.output, seen));
}

function feedForward(layer: Layer, x: Float32Array): void {
  const input = normed(x, layer.between);
  const gate = times(layer.gate, input);
  const up = times(layer.up, input);
  const inner = up.map((value, i) => {
    const open = gate[i] ?? 0;
    return (value * open) / (1 + Math.exp(-open));
  });
  add(x, times(layer.down, inner));
}

/** Positions as turns: the halves of a head are the two axes. `size`: of a head. */
function turned(x: Float32Array, at: number, size: number): Float32Array {
  const half = size / 2;
  const found = new Float32Array(x.length);
  for (let i = 0; i < half; i++) {
    const angle = at * theta ** (-i / half);
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    for (let left = i; left < x.length; left += size) {
      const [one, other] = [x[left] as number, x[left + half] as number];
      found[left] = one * cosine - other * sine;
      found[left + half] = other * cosine + one * sine;
    }
  }
  return found;
}

function normed(x: Float32Array, scales: Float32Array): Float32Array {
  let sum = 0;
  for (const value of x) sum += value * value;
  const by = 1 / Math.sqrt(sum / x.length + epsilon);
  return x.map((value, i) => value * by * (scales[i] ?? 0));
}

/**
 * Nearly all of the time is spent here. So no index is checked, a matrix has its rows and x its columns; and two sums do not wait for one
 * another. Columns are even.
 */
function times({ rows, columns, weights }: Matrix, x: Float32Array): Float32Array {
  const found = new Float32Array(rows);
  for (let row = 0, at = 0; row < rows; row++) {
    let even = 0;
    let odd = 0;
    for (let i = 0; i < columns; i += 2, at += 2) {
      even += (weights[at] as number) * (x[i] as number);
      odd += (weights[at + 1] as number) * (x[i + 1] as number);
    }
    found[row] = even + odd;
  }
  return found;
}

function softmax(x: Float32Array): Float32Array {
  const most = Math.max(...x);
  const raised = x.map((value) => Math.exp(value - most));
  const sum = raised.reduce((total, value) => total + value, 0);
  return raised.map((value) => value / sum);
}

function add(x: Float32Array, more: Float32Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) + (more[i] ?? 0);
}
