import { inboxPrefix } from "@microremed/contracts";
import { type Logger, retryable, type TlsFiles } from "@microremed/core";
import { connect, errors, type NatsConnection } from "@nats-io/transport-node";
import { createTurn } from "./turn.ts";

export interface LinkOptions {
  /** One or more URLs, separated by commas. */
  readonly servers: string;
  /** Shown in the server's monitoring. */
  readonly name: string;
  readonly user?: string;
  readonly password?: string;
  /** Files (PEM) of the authority that the servers' certificates are checked with, and of a certificate of our own. */
  readonly tls?: TlsFiles;
  readonly log: Logger;
}

/** The one connection of a process; it reconnects for ever. */
export interface Link {
  readonly connection: NatsConnection;
  /** Where replies to this connection may arrive. */
  readonly inboxPrefix: string;
  readonly connected: boolean;
  /** To be awaited right before something is sent: see `createTurn`. */
  turn(): Promise<void>;
  /**
   * Returns once connected. Nothing is handed to the client before, so that nothing piles up in it
   * while the server is away. Throws retryable `bus-unreachable` after `timeoutMs`.
   */
  whenConnected(timeoutMs: number): Promise<void>;
  /** `work`, or a rejection as soon as the connection is lost: what was sent over it is not answered any more. */
  whileConnected<T>(work: Promise<T>): Promise<T>;
}

/** Of one attempt to connect; what is lost later is connected again without an end. */
const firstConnectMs = 20_000;

export async function openLink(options: LinkOptions): Promise<Link> {
  const { servers, name, user, password, tls, log } = options;
  const urls = servers.split(",");
  // Else a server that offers no encryption would be spoken to without.
  const isEncrypted = tls !== undefined || urls.some((url) => url.trim().startsWith("tls://"));
  const connection = await connect({
    servers: urls,
    name,
    inboxPrefix: inboxPrefix(user),
    ...(isEncrypted && { tls: { ...tls } }),
    ...(user !== undefined && password !== undefined && { user, pass: password }),
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    pingInterval: 10_000,
    timeout: firstConnectMs,
    // Else every request takes a stack trace before it is sent, a twentieth of a busy service's time.
    noAsyncTraces: true,
  }).catch((cause: unknown) => {
    const why =
      cause instanceof errors.AuthorizationError
        ? `NATS at ${servers} refuses ${user === undefined ? "clients without a user" : `the user ${user}`}: check NATS_USER and NATS_PASSWORD`
        : `no NATS server answers at ${servers}`;
    throw retryable("bus-unreachable", `${why}: ${String(cause)}`, {}, cause);
  });

  let connected = true;
  let back = Promise.withResolvers<void>();
  const onLost = new Set<() => void>();
  const follow = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") {
        connected = false;
        for (const listener of onLost) listener();
        log.warn({ server: status.server }, "the connection to NATS is lost; reconnecting");
      } else if (status.type === "reconnect") {
        connected = true;
        log.info({ server: status.server }, "connected to NATS again");
        back.resolve();
        back = Promise.withResolvers<void>();
      } else if (status.type === "error") {
        log.error({ error: status.error.message }, "NATS reports an error");
      }
    }
  };
  void follow();

  return {
    connection,
    turn: createTurn(),
    inboxPrefix: inboxPrefix(user),
    get connected() {
      return connected && !connection.isClosed();
    },
    whileConnected: (work) =>
      // Not by racing a promise that lives as long as the connection: it would keep something of every race.
      new Promise((resolve, reject) => {
        const giveUp = (): void => reject(retryable("bus-unreachable", "the connection to NATS was lost"));
        onLost.add(giveUp);
        work.then(resolve, reject).finally(() => onLost.delete(giveUp));
        if (!connected) giveUp();
      }),
    whenConnected: async (timeoutMs) => {
      if (connection.isClosed()) throw retryable("bus-unreachable", "the connection to NATS is closed");
      if (connected) return;
      const late = Promise.withResolvers<never>();
      const away = retryable("bus-unreachable", `NATS at ${servers} did not answer for ${timeoutMs} ms`);
      const timer = setTimeout(() => late.reject(away), timeoutMs);
      await Promise.race([back.promise, late.promise]).finally(() => clearTimeout(timer));
    },
  };
}

/**
 * Does repeatable work over a standing connection; when the connection breaks meanwhile, again over the next one.
 * Throws what the work threw, at the latest after `withinMs`.
 */
export async function persist<T>(link: Link, withinMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      await link.whenConnected(deadline - performance.now());
      return await link.whileConnected(work());
    } catch (error) {
      if (link.connected || link.connection.isClosed() || performance.now() > deadline) throw error;
    }
  }
}
