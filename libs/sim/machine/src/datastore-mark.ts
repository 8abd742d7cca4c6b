import { flagdState } from "./flagd-server.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { mongoMark } from "./mongo-server.ts";
import { mysqlMark } from "./mysql-server.ts";
import { postgresMark } from "./postgres-server.ts";
import { isAppendStuck } from "./redis-server.ts";

/** A connection that a program of the system holds to a datastore. */
export interface StoreClient {
  /** Of the client's pod. */
  readonly ip: string;
  readonly user: string;
  readonly database: string;
  /** Table of which its last call waits for a lock; absent: none. */
  readonly waitsFor?: string;
}

/** What changes whenever what a datastore or a flagd answers may have changed; undefined: the container holds none. */
export function datastoreMark(sandbox: PodSandbox, container: ContainerRuntime): object | undefined {
  if (container.behaviour?.runtime === "redis") return redisMark(sandbox, container);
  if (container.behaviour?.runtime === "flagd") return flagdState(sandbox, container);
  if (container.behaviour?.runtime === "mongodb") return mongoMark(sandbox, container);
  const runtime = container.behaviour?.runtime;
  if (runtime !== "mysql" && runtime !== "postgresql") return undefined;
  const data = (runtime === "mysql" ? mysqlMark : postgresMark)(sandbox, container);
  const { datastore } = container;
  if (!data || !datastore) return data ?? datastore;
  const known = marks.get(datastore);
  if (known?.data === data) return known;
  const made = { data };
  marks.set(datastore, made);
  return made;
}

function redisMark(sandbox: PodSandbox, container: ContainerRuntime): object | undefined {
  const { datastore } = container;
  if (datastore?.type !== "redis" || !isAppendStuck(sandbox, container, datastore)) return datastore;
  const known = stuck.get(datastore) ?? {};
  stuck.set(datastore, known);
  return known;
}

/** Of servers whose file system is full, by what they hold in memory. */
const stuck = new WeakMap<object, object>();

/** By what the server holds in memory, which no other shares; of members of a cluster the data is the same. */
const marks = new WeakMap<object, { readonly data: Uint8Array }>();
