import { constants, createDeflate, createInflate } from "node:zlib";
import { spdyDictionary } from "./dictionary.ts";

/** More than the few stream headers of Kubernetes ever take. */
const maxBlockBytes = 64 * 1024;

export type Headers = ReadonlyMap<string, string>;

/** Header blocks share one compression context per connection and direction, so they must come in order. */
export interface HeaderCodec {
  decode(block: Buffer): Promise<Headers>;
  encode(headers: Headers): Promise<Buffer>;
  close(): void;
}

function parse(block: Buffer): Headers {
  const headers = new Map<string, string>();
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > block.length) throw new RangeError("SPDY header block is cut off");
    const part = block.subarray(at, at + length);
    at += length;
    return part;
  };
  const text = (): string => take(take(4).readUInt32BE()).toString("latin1");
  const count = take(4).readUInt32BE();
  for (let index = 0; index < count; index += 1) headers.set(text().toLowerCase(), text());
  return headers;
}

function serialize(headers: Headers): Buffer {
  const parts: Buffer[] = [];
  const number = (value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    parts.push(bytes);
  };
  number(headers.size);
  for (const text of [...headers].flat()) {
    number(text.length);
    parts.push(Buffer.from(text, "latin1"));
  }
  return Buffer.concat(parts);
}

interface Pipe {
  write(chunk: Buffer, done: (error?: Error | null) => void): void;
  flush(done: () => void): void;
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Pushes a chunk through a zlib stream and returns what came out. */
function through(pipe: Pipe): (chunk: Buffer) => Promise<Buffer> {
  let out: Buffer[] = [];
  let size = 0;
  let failed: ((error: Error) => void) | undefined;
  pipe.on("data", (chunk) => {
    size += chunk.length;
    if (size > maxBlockBytes) failed?.(new RangeError("SPDY header block is too large"));
    else out.push(chunk);
  });
  pipe.on("error", (error) => failed?.(error));
  return (chunk) =>
    new Promise((resolve, reject) => {
      out = [];
      size = 0;
      failed = reject;
      pipe.write(chunk, (error) => {
        if (error) return reject(error);
        pipe.flush(() => resolve(Buffer.concat(out)));
      });
    });
}

export function createHeaderCodec(): HeaderCodec {
  const inflate = createInflate({ dictionary: spdyDictionary, finishFlush: constants.Z_SYNC_FLUSH });
  const deflate = createDeflate();
  const inflated = through(inflate);
  const deflated = through(deflate);
  return {
    decode: async (block) => parse(await inflated(block)),
    encode: (headers) => deflated(serialize(headers)),
    close() {
      inflate.close();
      deflate.close();
    },
  };
}
