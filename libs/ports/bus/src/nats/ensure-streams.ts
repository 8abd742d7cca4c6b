import { isDeepStrictEqual } from "node:util";
import { type StreamSpec, streams } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import type { StreamOptions } from "../bus.ts";
import { duplicateWindowMs } from "../duplicate-window.ts";
import { untilAnswered } from "./until-answered.ts";

/**
 * Creates every stream of contracts or brings it up to date. Any number of processes may do so at once. With
 * `create: false` it only checks, and throws retryable `bus-unreachable` for the first that is missing or different.
 */
export async function ensureStreams(
  manager: JetStreamManager,
  { replicas, create = true }: StreamOptions = {},
): Promise<void> {
  for (const spec of Object.values<StreamSpec>(streams)) {
    const config = { ...configOf(spec), ...(replicas !== undefined && { num_replicas: replicas }) };
    await (create ? ensureStream : requireStream)(manager, config);
  }
}

type Config = Partial<StreamConfig> & { name: string };

function configOf(spec: StreamSpec): Config {
  return {
    name: spec.name,
    subjects: [...spec.subjects],
    retention: spec.retention === "workqueue" ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    max_age: spec.maxAge,
    max_bytes: spec.maxBytes,
    // A full work queue refuses, so that its publisher waits; a full log forgets its oldest.
    discard: spec.retention === "workqueue" ? DiscardPolicy.New : DiscardPolicy.Old,
    storage: StorageType.File,
    duplicate_window: nanos(duplicateWindowMs),
  };
}

/** JetStream's error codes (server/errors.json): stream not found; stream name already in use. */
const notFound = 10059;
const nameInUse = 10058;

/** Only a stream that is missing or different is touched: most users may only read (see `permissions` in contracts). */
async function ensureStream(manager: JetStreamManager, config: Config): Promise<void> {
  try {
    await untilAnswered(async () => {
      const found = await find(manager, config);
      if (!found) await add(manager, config);
      else if (!isAsWanted(found, config)) await update(manager, config);
    });
  } catch (error) {
    throw unusable(config, error);
  }
}

async function requireStream(manager: JetStreamManager, config: Config): Promise<void> {
  const found = await untilAnswered(() => find(manager, config)).catch((error: unknown) => {
    throw retryable(
      "bus-unreachable",
      `NATS cannot say whether the stream ${config.name} is there: ${error}`,
    );
  });
  if (found && isAsWanted(found, config)) return;
  throw retryable(
    "bus-unreachable",
    `the stream ${config.name} ${found ? "is another version's" : "is not there yet"}; ` +
      "`microremed streams` creates the streams as the user admin",
    { stream: config.name },
  );
}

/** Undefined: there is none of that name. */
async function find(manager: JetStreamManager, { name }: Config): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === notFound) return undefined;
    throw error;
  }
}

function isAsWanted(found: StreamConfig, wanted: Config): boolean {
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(Reflect.get(found, name), value));
}

async function add(manager: JetStreamManager, config: Config): Promise<void> {
  try {
    await manager.streams.add(config);
  } catch (error) {
    // Another process created it first, perhaps another version of it.
    if (!(error instanceof JetStreamApiError) || error.code !== nameInUse) throw error;
    await update(manager, config);
  }
}

async function update(manager: JetStreamManager, config: Config): Promise<void> {
  const { retention: _fixed, storage: _also, ...changeable } = config;
  await manager.streams.update(config.name, changeable);
}

function unusable(config: Config, cause: unknown): Error {
  return retryable(
    "bus-unreachable",
    `the stream ${config.name} could not be created or brought up to date: ${String(cause)}. ` +
      "Is JetStream enabled on the server, and may it store enough? Where users have rights of their own, " +
      "`microremed streams` creates them as the user admin",
    { stream: config.name },
    cause,
  );
}
