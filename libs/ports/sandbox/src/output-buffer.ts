/** What is kept of a flood, at most: its beginning, and its end, where errors are. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 64 * 1024;

/** Collects what a process prints in bounded memory: the head and the tail, in whole lines, and how much there was. */
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
      const first = Buffer.concat(head);
      const last = Buffer.concat(tail).subarray(-TAIL_BYTES);
      if (size === first.length + last.length) return Buffer.concat([first, last]).toString("utf8");
      const [begin, end] = [first.subarray(0, endOfLines(first)), last.subarray(startOfLines(last))];
      const note = `... [${size - begin.length - end.length} bytes left out] ...\n`;
      const lineEnd = begin.at(-1) === newline ? "" : "\n";
      return `${begin.toString("utf8")}${lineEnd}${note}${end.toString("utf8")}`;
    },
  };
}

const newline = 10;
/** Of a character of UTF-8, which has four bytes at most. */
const isLaterByte = (byte = 0): boolean => (byte & 0xc0) === 0x80;
const bytesOfCharacter = (first = 0): number => (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/** Where the last whole line ends, or the last whole character if that line is more than half of the bytes. */
function endOfLines(bytes: Buffer): number {
  const end = bytes.lastIndexOf(newline) + 1;
  if (end >= bytes.length / 2) return end;
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && isLaterByte(bytes[last])) last--;
  return last + bytesOfCharacter(bytes[last]) > bytes.length ? last : bytes.length;
}

/** Where the first whole line begins, or the first whole character if what is before is more than half of the bytes. */
function startOfLines(bytes: Buffer): number {
  const start = bytes.indexOf(newline) + 1;
  if (start > 0 && start <= bytes.length / 2) return start;
  let first = 0;
  while (first < 3 && isLaterByte(bytes[first])) first++;
  return first;
}
