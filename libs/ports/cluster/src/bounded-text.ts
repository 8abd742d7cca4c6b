/** Text that comes in pieces, of which the first `maxBytes` are kept. */
export interface BoundedText {
  add(chunk: Uint8Array): void;
  text(): string;
}

/** `maxBytes` default: 256 KiB. */
export function createBoundedText(maxBytes = 262_144): BoundedText {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  return {
    add(chunk) {
      if (left > 0) chunks.push(Buffer.from(chunk.subarray(0, left)));
      left -= chunk.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}
