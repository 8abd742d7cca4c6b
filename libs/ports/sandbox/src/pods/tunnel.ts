import { Duplex, type Readable, type Writable } from "node:stream";
import { retryable } from "@microremed/core";
import { createFrameReader, type Frame, frameOf, frames, maxFrame, windowBytes } from "./frames.ts";

/** The two ends of a gateway's standard input and output. */
export interface GatewayStreams {
  readonly stdin: Writable;
  readonly output: Readable;
}

/** An address that a runner pod must not reach. */
export type Address = readonly [host: string, port: number];

/** The way to a runner pod's gateway. */
export interface Tunnel extends Disposable {
  /** Which of the addresses, and of its own cluster's API server, the pod can reach, in words. */
  check(addresses: readonly Address[]): Promise<readonly string[]>;
  /** Listens at a port of the pod's loopback, and gives every connection to `accept`. */
  listen(port: number, accept: (connection: Duplex) => void): Promise<void>;
  /** Resolves, with why, when nothing can pass any more. */
  readonly closed: Promise<string>;
}

const answerWithinMs = 60_000;
const maxConnections = 128;

/** Speaks with the gateway over its standard input and output. */
export function openTunnel({ stdin, output }: GatewayStreams): Tunnel {
  const links = new Map<number, Link>();
  const answers = new Map<number, (content: Buffer) => void>();
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  const read = createFrameReader();
  let accept: (connection: Duplex) => void = (connection) => connection.destroy();
  let isOver = false;

  const send: Send = (kind, number, content, done = () => {}) => {
    if (isOver) done();
    else stdin.write(frameOf(kind, number, content), () => done());
  };
  const close = (why: string): void => {
    if (isOver) return;
    isOver = true;
    for (const link of links.values()) link.stream.destroy();
    resolve(why);
  };
  const take = ({ kind, number, content }: Frame): void => {
    const link = links.get(number);
    switch (kind) {
      case frames.listen:
      case frames.check:
        answers.get(kind)?.(content);
        return;
      case frames.open:
        if (link || links.size >= maxConnections) {
          send(frames.reset, number);
          return;
        }
        links.set(
          number,
          createLink(number, send, () => links.delete(number)),
        );
        accept(links.get(number)?.stream as Duplex);
        return;
      case frames.data:
        link?.data(content);
        return;
      case frames.end:
        link?.data(null);
        return;
      case frames.taken:
        if (content.length === 4) link?.taken(content.readUInt32BE(0));
        return;
      case frames.reset:
        link?.stream.destroy();
        return;
      default:
        throw new RangeError(`a frame of the kind ${kind}, which there is not`);
    }
  };
  const ask = async (kind: typeof frames.listen | typeof frames.check, number: number, content?: Buffer) => {
    const { promise, resolve: answer } = Promise.withResolvers<Buffer>();
    answers.set(kind, answer);
    send(kind, number, content);
    const late = AbortSignal.timeout(answerWithinMs);
    const lateness = new Promise<string>((say) =>
      late.addEventListener("abort", () => say("no answer in time")),
    );
    const first = await Promise.race([promise, closed, lateness]);
    if (typeof first === "string") throw retryable("sandbox-unavailable", `a runner pod's gateway: ${first}`);
    return first;
  };

  output.on("data", (chunk: Buffer) => {
    try {
      for (const frame of isOver ? [] : read(chunk)) take(frame);
    } catch (error) {
      close(error instanceof Error ? error.message : String(error));
    }
  });
  output.once("close", () => close("it ended"));
  output.once("end", () => close("it ended"));
  stdin.once("close", () => close("its input was closed"));
  return {
    closed,
    async check(addresses) {
      const answer: unknown = JSON.parse(
        (await ask(frames.check, 0, Buffer.from(JSON.stringify(addresses)))).toString("utf8"),
      );
      if (!Array.isArray(answer))
        throw retryable("sandbox-unavailable", "a runner pod's gateway answered no list");
      return answer.map(String);
    },
    async listen(port, taker) {
      accept = taker;
      await ask(frames.listen, port);
    },
    [Symbol.dispose]: () => close("the executor has closed it"),
  };
}

type Send = (
  kind: (typeof frames)[keyof typeof frames],
  number: number,
  content?: Buffer,
  done?: () => void,
) => void;

/** One connection of a program in the pod. */
interface Link {
  readonly stream: Duplex;
  /** Null: there is no more. */
  data(content: Buffer | null): void;
  /** So many bytes were passed on inside. */
  taken(bytes: number): void;
}

function createLink(number: number, send: Send, onClose: () => void): Link {
  let room = windowBytes;
  let waiting: (() => void) | undefined;
  const arrived: (Buffer | null)[] = [];
  let kept = 0;
  let wants = false;
  let hasSentAll = false;

  /** Gives what has arrived to the reader, and says that there is room for more. */
  const pump = (): void => {
    while (wants && arrived.length > 0) {
      const content = arrived.shift() ?? null;
      if (content) {
        kept -= content.length;
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32BE(content.length, 0);
        send(frames.taken, number, bytes);
      }
      wants = stream.push(content);
    }
  };
  const write = (chunk: Buffer, done: () => void): void => {
    if (chunk.length === 0) {
      done();
      return;
    }
    if (room === 0) {
      waiting = () => write(chunk, done);
      return;
    }
    const part = chunk.subarray(0, Math.min(room, maxFrame));
    room -= part.length;
    send(frames.data, number, part, () => write(chunk.subarray(part.length), done));
  };
  const stream = new Duplex({
    // As a server's connections: when one side has sent all, so has the other.
    allowHalfOpen: false,
    read() {
      wants = true;
      pump();
    },
    write: (chunk: Buffer, _encoding, done) => write(chunk, done),
    final(done) {
      hasSentAll = true;
      send(frames.end, number, undefined, done);
    },
    destroy(error, done) {
      // What is still on its way is delivered where both sides have ended in order.
      if (!hasSentAll || !stream.readableEnded) send(frames.reset, number);
      onClose();
      done(error);
    },
  });
  stream.on("error", () => {});
  return {
    stream,
    data(content) {
      kept += content?.length ?? 0;
      // More than it was allowed: its sender keeps to no rules.
      if (kept > windowBytes) {
        stream.destroy();
        return;
      }
      arrived.push(content);
      pump();
    },
    taken(bytes) {
      room = Math.min(windowBytes, room + bytes);
      const go = waiting;
      waiting = undefined;
      go?.();
    },
  };
}
