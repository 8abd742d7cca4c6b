import { utilisation, type Wait, waitForServer } from "./queueing.ts";
import type { Route } from "./topology.ts";

/** Connections of a program to a workload, some of which its calls never give back. */
export interface ConnectionPool {
  readonly size: number;
  /** Of the calls, those that keep their connection, 0..1. */
  readonly share: number;
  /** Where the program's container has how many are kept. */
  readonly state: { keptConnections: number };
}

/** Connections that a call can have. */
export const freeConnections = ({ size, state }: ConnectionPool): number =>
  Math.max(0, Math.floor(size - state.keptConnections));

/** No call gets a connection any more. */
export const isExhausted = ({ pool }: Pick<Route, "pool">): boolean =>
  pool !== undefined && freeConnections(pool) === 0;

/** How long a call waits for one of the connections that are left: M/M/c with `ms` for each call. */
export function waitForConnection({ pool, rate }: Pick<Route, "pool" | "rate">, ms: number): Wait {
  const free = pool ? freeConnections(pool) : 0;
  if (free === 0) return { chance: 0, ms: 0 };
  return waitForServer(free, utilisation((rate * ms) / 1000, free), ms);
}

/** Connections that the calls of these seconds do not give back. */
export function keepConnections({ routes }: { readonly routes: readonly Route[] }, seconds: number): void {
  for (const route of routes) {
    const { pool, rate } = route;
    if (!pool || isExhausted(route)) continue;
    const kept = pool.state.keptConnections + rate * pool.share * seconds;
    pool.state.keptConnections = Math.min(pool.size, kept);
  }
}

/** What a program says of a call that gets no connection; undefined: there is one. */
export const poolError = (route: Route): string | undefined =>
  isExhausted(route)
    ? `no connection to ${route.call.to} within ${route.call.timeoutSeconds} s: all ${route.pool?.size} of the pool are in use`
    : undefined;
