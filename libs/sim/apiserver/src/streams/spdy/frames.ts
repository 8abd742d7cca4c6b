/** A SPDY/3.1 frame as encoded on the wire. */
export type Frame =
  | { readonly kind: "data"; readonly streamId: number; readonly fin: boolean; readonly data: Buffer }
  | { readonly kind: "control"; readonly type: number; readonly flags: number; readonly body: Buffer };

export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  ping: 6,
  goAway: 7,
  windowUpdate: 9,
} as const;

export const flagFin = 1;
const headerBytes = 8;
/** Larger frames than any Kubernetes client sends are refused. */
const maxFrameBytes = 4 * 1024 * 1024;

export function controlFrame(type: number, body: Buffer, flags = 0): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(0x8003, 0);
  header.writeUInt16BE(type, 2);
  header.writeUInt32BE(((flags << 24) | body.length) >>> 0, 4);
  return Buffer.concat([header, body]);
}

export function dataFrame(streamId: number, data: Uint8Array, fin: boolean): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(streamId, 0);
  header.writeUInt32BE((((fin ? flagFin : 0) << 24) | data.length) >>> 0, 4);
  return Buffer.concat([header, data]);
}

/** 32-bit numbers one after another. */
export function numbers(...values: readonly number[]): Buffer {
  const body = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) body.writeUInt32BE(value >>> 0, 4 * index);
  return body;
}

/** Cuts a byte stream into frames; what is incomplete waits for more. Throws on an oversized frame. */
export function createFrameReader(): (chunk: Buffer) => Frame[] {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const frames: Frame[] = [];
    while (pending.length >= headerBytes) {
      const length = pending.readUInt32BE(4) & 0xffffff;
      if (length > maxFrameBytes) throw new RangeError(`SPDY frame of ${length} bytes is too large`);
      if (pending.length < headerBytes + length) break;
      const body = pending.subarray(headerBytes, headerBytes + length);
      const first = pending.readUInt32BE(0);
      const flags = pending.readUInt8(4);
      frames.push(
        first >>> 31 === 1
          ? { kind: "control", type: first & 0xffff, flags, body }
          : { kind: "data", streamId: first & 0x7fffffff, fin: (flags & flagFin) !== 0, data: body },
      );
      pending = pending.subarray(headerBytes + length);
    }
    return frames;
  };
}
