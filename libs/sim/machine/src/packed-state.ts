import { deflateRawSync, inflateRawSync } from "node:zlib";

const read = new WeakMap<Uint8Array, unknown>();

/** A program's state as the bytes of its data file. */
export function packState(state: object): Uint8Array {
  const bytes = new Uint8Array(deflateRawSync(JSON.stringify(state)));
  read.set(bytes, state);
  return bytes;
}

/** What `packState` wrote; undefined: the file was overwritten with something else. */
export function unpackState<T>(bytes: Uint8Array): T | undefined {
  if (!read.has(bytes)) read.set(bytes, inflated(bytes));
  return read.get(bytes) as T | undefined;
}

function inflated(bytes: Uint8Array): unknown {
  try {
    const text = inflateRawSync(bytes, { maxOutputLength: 64 << 20 }).toString();
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
