/** What is kept of a flood: its beginning, and its end, where errors are. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 64 * 1024;

/** Collects what a process prints in bounded memory: the head, the tail, and how much there was. */
export interface OutputBuffer {
  add(chunk: Buffer): void;
  /** Bytes printed so far. */
  readonly size: number;
  text(): string;
}

export function createOutputBuffer(): OutputBuffer {
  const head: Buffer[] = [];
  let headSize = 0;
  let tail: Buffer[] = [];
  let tailSize = 0;
  let size = 0;

  const addToTail = (chunk: Buffer): void => {
    tail.push(chunk);
    tailSize += chunk.length;
    if (tailSize <= 4 * TAIL_BYTES) return;
    tail = [Buffer.from(Buffer.concat(tail).subarray(-TAIL_BYTES))];
    tailSize = TAIL_BYTES;
  };

  return {
    add: (chunk) => {
      size += chunk.length;
      const room = HEAD_BYTES - headSize;
      if (room > 0) {
        head.push(chunk.subarray(0, room));
        headSize += Math.min(room, chunk.length);
      }
      if (chunk.length > room) addToTail(chunk.subarray(Math.max(0, room)));
    },
    get size() {
      return size;
    },
    text: () => {
      const kept = Buffer.concat(tail).subarray(-TAIL_BYTES);
      const missing = size - headSize - kept.length;
      if (missing <= 0) return Buffer.concat([...head, kept]).toString("utf8");
      const note = `\n... [${missing} bytes left out] ...\n`;
      return `${Buffer.concat(head).toString("utf8")}${note}${kept.toString("utf8")}`;
    },
  };
}
