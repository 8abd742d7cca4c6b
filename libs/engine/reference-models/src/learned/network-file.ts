import { z } from "zod";

const size = z.int().min(1).max(65_536);

/** The first part of a network's file, in JSON. */
const About = z.strictObject({
  version: z.literal(1),
  /** `inner`: of the feed-forward part; `longest`: tokens of a prompt and what is written for it. */
  shape: z.strictObject({ width: size, layers: size, heads: size, inner: size, longest: size }),
  /** Pieces of names and of scripts; both begin with single characters. */
  names: z.array(z.string().min(1)).min(1),
  pieces: z.array(z.string().min(1)).min(1),
});

/** Weights of a linear map, a row for each output: of `rows` times `columns`. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly weights: Float32Array;
}

export interface Layer {
  readonly before: Float32Array;
  readonly query: Matrix;
  readonly key: Matrix;
  readonly value: Matrix;
  readonly output: Matrix;
  readonly between: Float32Array;
  readonly gate: Matrix;
  readonly up: Matrix;
  readonly down: Matrix;
}

/** A decoder with its tokens. */
export interface Network {
  readonly shape: z.output<typeof About>["shape"];
  readonly names: readonly string[];
  readonly pieces: readonly string[];
  /** A row for each token: what goes in, and what the end is compared with. */
  readonly table: Matrix;
  readonly layers: readonly Layer[];
  readonly after: Float32Array;
}

/** Tokens that are no text come before all others: padding, start, next field, write, end. */
export const specialTokens = 5;

/**
 * Reads what `training/small/export.py` writes: the length of the first part (4 bytes, little endian), that part as JSON with spaces
 * up to a multiple of 4, and the values. A matrix is a float32 scale for each row and its int8 weights, a vector is float32. Throws where
 * the length is another than the shape's.
 */
export function readNetwork(file: Uint8Array): Network {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = 4 + view.getUint32(0, true);
  const { shape, names, pieces } = About.parse(JSON.parse(new TextDecoder().decode(file.subarray(4, end))));
  const { width, inner } = shape;
  let at = end;
  const floats = (count: number): Float32Array => {
    const found = Float32Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true));
    at += 4 * count;
    return found;
  };
  const matrix = (rows: number, columns: number): Matrix => {
    const scales = floats(rows);
    const weights = new Float32Array(rows * columns);
    for (let i = 0; i < weights.length; i++)
      weights[i] = view.getInt8(at + i) * (scales[Math.floor(i / columns)] ?? 0);
    at += rows * columns;
    return { rows, columns, weights };
  };
  const table = matrix(specialTokens + names.length + pieces.length, width);
  const layers = Array.from({ length: shape.layers }, () => ({
    before: floats(width),
    query: matrix(width, width),
    key: matrix(width, width),
    value: matrix(width, width),
    output: matrix(width, width),
    between: floats(width),
    gate: matrix(inner, width),
    up: matrix(inner, width),
    down: matrix(width, inner),
  }));
  const after = floats(width);
  if (at !== file.byteLength)
    throw new Error(`the network's file has ${file.byteLength} bytes, and its shape takes ${at}`);
  return { shape, names, pieces, table, layers, after };
}
