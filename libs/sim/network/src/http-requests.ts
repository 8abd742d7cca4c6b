/** One HTTP/1.1 request as a simulated server sees it; its body is read and dropped. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly keepAlive: boolean;
}

const maxHeadBytes = 64 * 1024;
const headEnd = Buffer.from("\r\n\r\n");

interface Reader {
  /** Reads on until `found` gives how many bytes it wants taken; undefined at the input's end or bound. */
  take(found: (bytes: Buffer) => number, maxBytes: number): Promise<Buffer | undefined>;
  /** Drops this many bytes. False at the input's end. */
  skip(bytes: number): Promise<boolean>;
}

function createReader(input: AsyncIterable<Uint8Array>): Reader {
  const chunks = input[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);
  async function more(): Promise<boolean> {
    const { value, done } = await chunks.next();
    if (done) return false;
    pending = pending.length === 0 ? Buffer.from(value) : Buffer.concat([pending, value]);
    return true;
  }
  return {
    async take(found, maxBytes) {
      for (;;) {
        const end = found(pending);
        if (end > 0) {
          const taken = pending.subarray(0, end);
          pending = pending.subarray(end);
          return taken;
        }
        if (pending.length > maxBytes || !(await more())) return undefined;
      }
    },
    async skip(bytes) {
      let left = bytes;
      while (left > pending.length) {
        left -= pending.length;
        pending = Buffer.alloc(0);
        if (!(await more())) return false;
      }
      pending = pending.subarray(left);
      return true;
    },
  };
}

const lineEnd = (bytes: Buffer): number => bytes.indexOf("\r\n") + 2;

async function skipChunks(reader: Reader): Promise<boolean> {
  for (;;) {
    const line = await reader.take((bytes) => (bytes.includes("\r\n") ? lineEnd(bytes) : 0), maxHeadBytes);
    const size = line && Number.parseInt(line.toString("latin1"), 16);
    if (size === undefined || Number.isNaN(size)) return false;
    if (!(await reader.skip(size + 2))) return false;
    if (size === 0) return true;
  }
}

/** The requests on one connection, until it ends or something comes that is no HTTP. */
export async function* readHttpRequests(input: AsyncIterable<Uint8Array>): AsyncGenerator<HttpRequest> {
  const reader = createReader(input);
  const headOf = (bytes: Buffer): number => {
    const at = bytes.indexOf(headEnd);
    return at < 0 ? 0 : at + headEnd.length;
  };
  for (;;) {
    const head = (await reader.take(headOf, maxHeadBytes))?.toString("latin1");
    const [, method = "", target = "", minor] = /^([A-Z]+) (\S+) HTTP\/1\.([01])\r\n/.exec(head ?? "") ?? [];
    if (head === undefined || target === "") return;
    const length = Number(/\r\ncontent-length: *(\d{1,12}) *\r\n/i.exec(head)?.[1] ?? 0);
    const chunked = /\r\ntransfer-encoding:[^\r]*chunked/i.test(head);
    if (!(await (chunked ? skipChunks(reader) : reader.skip(length)))) return;
    const path = target.startsWith("/") ? target : (URL.parse(target)?.pathname ?? "/");
    const keepAlive = minor === "1" && !/\r\nconnection:[^\r]*close/i.test(head);
    yield { method, path, keepAlive };
  }
}
