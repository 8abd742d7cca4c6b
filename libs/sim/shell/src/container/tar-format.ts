/** One member of an archive as its header says. */
export interface TarMember {
  /** As in the archive; that of a directory ends in a slash. */
  readonly name: string;
  readonly type: "file" | "directory" | "symlink" | "link";
  /** Bytes that follow the header. */
  readonly size: number;
  /** Where a link leads; empty for all others. */
  readonly target: string;
}

export const blockBytes = 512;
/** Names, and what says more about a member, are longer than any path here only in broken archives. */
const mostTextBytes = 1 << 20;
const longName = "././@LongLink";
const types: Readonly<Record<string, TarMember["type"]>> = {
  "0": "file",
  "\0": "file",
  "7": "file",
  "1": "link",
  "2": "symlink",
  "5": "directory",
};

/** Thrown where an archive cannot be read on. */
export class BrokenArchive extends Error {}

/** Bytes that fill up the last block of a member. */
export const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

/** The header of a member in GNU's format, with the names that do not fit into it before it. */
export function headerOf(member: TarMember & { readonly mode: number; readonly mtime: Date }): Uint8Array {
  const { name, target, type, size, mode, mtime } = member;
  const kind = { file: "0", link: "1", symlink: "2", directory: "5" }[type];
  const [nameBytes, targetBytes] = [Buffer.from(name), Buffer.from(target)];
  return Buffer.concat([
    ...longText("L", nameBytes),
    ...longText("K", targetBytes),
    block({
      name: nameBytes,
      target: targetBytes,
      kind,
      size,
      mode,
      seconds: Math.floor(mtime.getTime() / 1000),
    }),
  ]);
}

function longText(kind: string, text: Buffer): Buffer[] {
  if (text.length <= 100) return [];
  const size = text.length + 1;
  const header = block({
    name: Buffer.from(longName),
    target: Buffer.alloc(0),
    kind,
    size,
    mode: 0,
    seconds: 0,
  });
  return [header, text, Buffer.alloc(1 + paddingOf(size))];
}

interface Header {
  readonly name: Buffer;
  readonly target: Buffer;
  readonly kind: string;
  readonly size: number;
  readonly mode: number;
  readonly seconds: number;
}

function block({ name, target, kind, size, mode, seconds }: Header): Buffer {
  const bytes = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void => {
    bytes.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  };
  name.copy(bytes, 0, 0, 100);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.max(0, seconds), 136, 12);
  bytes.fill(" ", 148, 156);
  bytes.write(kind, 156, "latin1");
  target.copy(bytes, 157, 0, 100);
  bytes.write("ustar  \0", 257, "latin1");
  bytes.write("root", 265, "latin1");
  bytes.write("root", 297, "latin1");
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
}

/** Reads an archive piece by piece. */
export interface TarSource {
  /** The next member; undefined at the end of the archive. Throws `BrokenArchive`. */
  next(): Promise<TarMember | undefined>;
  /** Its content, which must be read before the next member is asked for. Throws `BrokenArchive` when it is cut off. */
  content(size: number): Promise<Uint8Array>;
  /** Goes past its content instead, and keeps none of it. */
  skip(size: number): Promise<void>;
}

export function readArchive(input: AsyncIterable<Uint8Array>): TarSource {
  const { read, pass } = createReader(input);

  async function text(size: number): Promise<Buffer> {
    if (size > mostTextBytes) throw new BrokenArchive("invalid tar header");
    return content(size);
  }
  async function content(size: number): Promise<Buffer> {
    const bytes = await read(size);
    const padding = paddingOf(size);
    if (!bytes || (padding > 0 && !(await read(padding)))) throw new BrokenArchive("short read");
    return bytes;
  }

  async function skip(size: number): Promise<void> {
    if (!(await pass(size + paddingOf(size)))) throw new BrokenArchive("short read");
  }

  async function next(): Promise<TarMember | undefined> {
    const more = new Map<string, string>();
    for (;;) {
      const header = await read(blockBytes);
      if (!header) throw new BrokenArchive("short read");
      if (header.every((byte) => byte === 0)) return undefined;
      checkSum(header);
      const kind = String.fromCharCode(header[156] ?? 0);
      const size = checkedSize(Number.parseInt(field(header, 124, 12).trim() || "0", 8));
      if (kind === "L" || kind === "K") {
        more.set(kind === "L" ? "path" : "linkpath", cString(await text(size)));
        continue;
      }
      if (kind === "x" || kind === "g") {
        for (const [name, value] of records(await text(size))) if (kind === "x") more.set(name, value);
        continue;
      }
      const prefix = field(header, 257, 8) === "ustar\u000000" ? field(header, 345, 155) : "";
      const own = cString(Buffer.from(field(header, 0, 100), "latin1"));
      const name =
        more.get("path") ??
        (cString(Buffer.from(prefix, "latin1")) ? `${cString(Buffer.from(prefix, "latin1"))}/${own}` : own);
      const type = types[kind];
      if (!type) {
        await skip(size);
        more.clear();
        continue;
      }
      const target = more.get("linkpath") ?? cString(Buffer.from(field(header, 157, 100), "latin1"));
      const isDirectory = type === "directory" || (type === "file" && name.endsWith("/"));
      return {
        name,
        type: isDirectory ? "directory" : type,
        size: type === "file" ? checkedSize(Number(more.get("size") ?? size)) : 0,
        target,
      };
    }
  }

  return { next, content, skip };
}

function checkedSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw new BrokenArchive("invalid tar header");
  return size;
}

function checkSum(header: Buffer): void {
  const said = Number.parseInt(field(header, 148, 8).trim(), 8);
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (said !== sum) throw new BrokenArchive("invalid tar magic");
}

const field = (header: Buffer, at: number, length: number): string =>
  header.toString("latin1", at, at + length);
const cString = (bytes: Buffer): string => bytes.toString().replace(/\0[\s\S]*$/, "");

/** Records of a pax header: `LENGTH NAME=VALUE\n`, the length with itself. */
function records(bytes: Buffer): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = Number(bytes.toString("latin1", at, space));
    if (space < 0 || !(length > 0)) break;
    const [, name = "", value = ""] =
      /^([^=]*)=([\s\S]*)\n$/.exec(bytes.toString("utf8", space + 1, at + length)) ?? [];
    found.push([name, value]);
    at += length;
  }
  return found;
}

interface Reader {
  /** Exactly so many bytes, or undefined when fewer are left. */
  read(size: number): Promise<Buffer | undefined>;
  /** Goes past so many bytes; false: fewer were left. */
  pass(size: number): Promise<boolean>;
}

function createReader(input: AsyncIterable<Uint8Array>): Reader {
  const iterator = input[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  async function take(size: number, part: (bytes: Uint8Array) => void): Promise<boolean> {
    let missing = size;
    while (missing > 0) {
      if (rest.byteLength === 0) {
        const next = await iterator.next();
        if (next.done) return false;
        rest = next.value;
      }
      const taken = rest.subarray(0, missing);
      rest = rest.subarray(taken.byteLength);
      missing -= taken.byteLength;
      part(taken);
    }
    return true;
  }
  return {
    async read(size) {
      const parts: Uint8Array[] = [];
      return (await take(size, (part) => parts.push(part))) ? Buffer.concat(parts) : undefined;
    },
    pass: (size) => take(size, () => {}),
  };
}
