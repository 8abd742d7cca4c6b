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

/** Messages with one id are stored once within this window, ns. */
const duplicateWindow = 10 * 60 * 1e9;

/** Creates every stream of contracts or brings it up to date. Any number of processes may do so at once. */
export async function ensureStreams(manager: JetStreamManager): Promise<void> {
  for (const spec of Object.values<StreamSpec>(streams)) await ensureStream(manager, configOf(spec));
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
    duplicate_window: duplicateWindow,
  };
}

const nameInUse = 10058;

async function ensureStream(manager: JetStreamManager, config: Config): Promise<void> {
  try {
    await manager.streams.add(config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== nameInUse) throw unusable(config, error);
    const { retention: _fixed, storage: _also, ...changeable } = config;
    await manager.streams.update(config.name, changeable).catch((cause: unknown) => {
      throw unusable(config, cause);
    });
  }
}

function unusable(config: Config, cause: unknown): Error {
  return retryable(
    "bus-unreachable",
    `the stream ${config.name} could not be created or brought up to date: ${String(cause)}. ` +
      "Is JetStream enabled on the server, and may it store enough?",
    { stream: config.name },
    cause,
  );
}
