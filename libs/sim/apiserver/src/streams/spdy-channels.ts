import type { Duplex } from "node:stream";
import { asBytes, type ExecChannels, type ExecStreams } from "./exec-channels.ts";
import { createSpdyConnection } from "./spdy/connection.ts";
import type { SpdyStream } from "./spdy/spdy-stream.ts";

const protocol = "v4.channel.k8s.io";
/** Clients open their streams at once; wall clock. */
const openTimeoutMs = 30_000;
/** A client that has the outcome closes; wall clock. */
const lingerMs = 5_000;

/** Upgrades to SPDY/3.1 and waits until the client has opened all the streams that it asked for. */
export async function openSpdyChannels(
  socket: Duplex,
  head: Buffer,
  streams: ExecStreams,
): Promise<ExecChannels> {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  const connection = createSpdyConnection(socket, head);
  const deadline = setTimeout(() => connection.close(), openTimeoutMs);
  const wanted = (open: boolean, type: string): Promise<SpdyStream | undefined> =>
    open ? connection.stream(type) : Promise.resolve(undefined);
  const [error, stdin, stdout, stderr] = await Promise.all([
    connection.stream("error"),
    wanted(streams.stdin, "stdin"),
    wanted(streams.stdout, "stdout"),
    wanted(streams.stderr && !streams.tty, "stderr"),
    wanted(streams.tty, "resize"),
  ]);
  clearTimeout(deadline);
  const gone = new AbortController();
  void connection.closed.then(() => gone.abort());
  return {
    stdin: stdin?.input,
    stdout: (chunk) => stdout?.write(asBytes(chunk)),
    stderr: (chunk) => (streams.tty ? stdout : stderr)?.write(asBytes(chunk)),
    drained: () => connection.drained(),
    finish(status) {
      stdout?.end();
      stderr?.end();
      error?.write(Buffer.from(JSON.stringify(status)));
      error?.end();
      const linger = setTimeout(() => connection.close(), lingerMs);
      void connection.closed.then(() => clearTimeout(linger));
    },
    signal: gone.signal,
  };
}
