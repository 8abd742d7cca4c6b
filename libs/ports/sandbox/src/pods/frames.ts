/**
 * What the executor and a runner pod's gateway say to each other: a frame has one byte for its kind, four for a number
 * and four for the length of its content, big-endian.
 */
export const frames = {
  /** To the gateway: listen at the port of that number. Back: it does. */
  listen: 1,
  /** To the gateway: JSON of addresses, [host, port]. Back: JSON of those that it reached, in words. */
  check: 2,
  /** From the gateway: a program has connected; the connection's number from now on. */
  open: 3,
  data: 4,
  /** That side has sent all. */
  end: 5,
  /** The connection is over. */
  reset: 6,
  /** Four bytes: so many bytes of data were passed on, and as many more may be sent. */
  taken: 7,
} as const;

export type FrameKind = (typeof frames)[keyof typeof frames];

/** A frame as it was read. */
export interface Frame {
  readonly kind: number;
  readonly number: number;
  readonly content: Buffer;
}

/** Bytes of a frame before its content. */
export const frameHeadBytes = 9;
/** Bytes of content at most. */
export const maxFrame = 32 * 1024;
/** Bytes of one connection that may be on their way in one direction, so that one that is not read holds up no other. */
export const windowBytes = 256 * 1024;

export function frameOf(kind: FrameKind, number: number, content: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(number, 1);
  head.writeUInt32BE(content.length, 5);
  return Buffer.concat([head, content]);
}

/** Cuts a stream of bytes into frames. Throws RangeError for one that is longer than any may be. */
export function createFrameReader(): (chunk: Buffer) => Frame[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const found: Frame[] = [];
    while (rest.length >= frameHeadBytes) {
      const length = rest.readUInt32BE(5);
      if (length > maxFrame)
        throw new RangeError(`a frame of ${length} bytes; at most ${maxFrame} are allowed`);
      const end = frameHeadBytes + length;
      if (rest.length < end) break;
      const content = rest.subarray(frameHeadBytes, end);
      found.push({ kind: rest.readUInt8(0), number: rest.readUInt32BE(1), content });
      rest = rest.subarray(end);
    }
    return found;
  };
}
