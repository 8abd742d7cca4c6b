import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, type Server, type Socket } from "node:net";
import { type Duplex, Transform } from "node:stream";
import type { ApiEndpoint } from "./api-endpoint.ts";

/** Where an API server is, and the HTTP proxy on the way there. */
export type Target = Pick<ApiEndpoint, "host" | "port" | "proxy">;

const MAX_CONNECTIONS = 128;
/** To the API server or its proxy, wall clock. */
const CONNECT_WITHIN_MS = 10_000;

export interface RelayOptions {
  /** Awaited before anything goes out. */
  readonly mayPass?: (() => Promise<void>) | undefined;
  /** Is called when a connection to the API server cannot be made because of that or of the way to it. */
  readonly onUnreachable?: ((why: string) => void) | undefined;
}

/** Carries connections to one API server. Disposing ends all of them. */
export interface Relay extends Disposable {
  /** Takes a connection from inside. */
  accept(inside: Duplex): void;
}

/** Gives a relay every connection that arrives at a sandbox's listening socket. Disposing ends both. */
export function relayFrom(server: Server, relay: Relay): Disposable {
  server.maxConnections = MAX_CONNECTIONS;
  server.on("error", () => server.close());
  server.on("connection", relay.accept);
  return {
    [Symbol.dispose]() {
      server.close();
      relay[Symbol.dispose]();
    },
  };
}

/**
 * Carries the connections that it is given to the API server and nowhere else.
 * Bytes pass as they are: TLS is between the client inside and the API server.
 * `mayPass` is awaited before any of them goes out: when it throws, the connection ends instead. So what runs inside
 * can do nothing any more once its executor has lost the right to, even if this process was paused in between.
 */
export function createRelay(target: Target, { mayPass, onUnreachable }: RelayOptions = {}): Relay {
  const open = new Set<Duplex>();
  const giveUp = new AbortController();
  return {
    accept(inside) {
      open.add(inside);
      inside.on("error", () => {}).once("close", () => open.delete(inside));
      connectTo(target, giveUp.signal).then(
        (outside) => {
          open.add(outside);
          join(inside, outside, mayPass);
          outside.once("close", () => open.delete(outside));
        },
        (error: NodeJS.ErrnoException) => {
          if (isTargets(error) && !giveUp.signal.aborted) onUnreachable?.(`${target.host}: ${error.message}`);
          inside.destroy();
        },
      );
    },
    [Symbol.dispose]() {
      giveUp.abort();
      for (const stream of open) stream.destroy();
    },
  };
}

/** This machine's own limits, which what runs inside may have exhausted, are not the API server's fault. */
const ownCodes = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL", "EAGAIN"]);

function isTargets({ code }: NodeJS.ErrnoException): boolean {
  return code === undefined || !ownCodes.has(code);
}

/** What goes wrong on one side is seen as an end on the other, after all that was sent before. */
function join(inside: Duplex, outside: Socket, mayPass?: () => Promise<void>): void {
  outside.on("error", () => {}).once("close", () => inside.end());
  if (inside.destroyed) outside.destroy();
  inside.once("close", () => outside.end());
  if (mayPass)
    inside
      .pipe(gate(mayPass))
      .on("error", () => inside.destroy())
      .pipe(outside);
  else inside.pipe(outside);
  outside.pipe(inside);
}

function gate(mayPass: () => Promise<void>): Transform {
  return new Transform({
    transform: (chunk, _encoding, done) => {
      mayPass().then(
        () => done(null, chunk),
        (error: Error) => done(error),
      );
    },
  });
}

/** Rejects when there is no answer in time, or when the signal is aborted. */
export function connectTo({ host, port, proxy }: Target, signal: AbortSignal): Promise<Socket> {
  return proxy === undefined
    ? connectDirectly(host, port, signal)
    : connectThrough(proxy, host, port, signal);
}

function connectDirectly(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, signal });
    socket.setTimeout(CONNECT_WITHIN_MS, () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

/** Through an HTTP proxy, which the code inside does not get to talk to. */
function connectThrough(proxy: string, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { protocol, username, password } = new URL(proxy);
  const request = protocol === "https:" ? requestHttps : requestHttp;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return new Promise((resolve, reject) => {
    const asked = request(proxy, {
      method: "CONNECT",
      path: `${host}:${port}`,
      headers: username === "" ? {} : { "proxy-authorization": `Basic ${login.toString("base64")}` },
      timeout: CONNECT_WITHIN_MS,
      signal,
    });
    asked.once("timeout", () => asked.destroy(new Error("the proxy did not answer in time")));
    asked.on("error", reject);
    asked.once("response", ({ statusCode }) => asked.destroy(new Error(`the proxy answered ${statusCode}`)));
    asked.once("connect", (response, socket, head) => {
      if (response.statusCode !== 200) {
        socket.on("error", () => {}).destroy();
        reject(new Error(`the proxy answered ${response.statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      socket.setTimeout(0);
      resolve(socket as Socket);
    });
    asked.end();
  });
}
