import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ClustersFile } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import { type ClusterProcess, startClusterProcess } from "./cluster-process.ts";
import type { ClusterWork } from "./cluster-worker.types.ts";
import type { EmbeddedClusters } from "./stack.types.ts";

export interface StartedClusters extends AsyncDisposable {
  /** Of those that run now. */
  readonly names: readonly string[];
  /** Process ids by the names of the clusters that run now. */
  readonly pids: ReadonlyMap<string, number>;
  readonly clustersFile: string;
}

export interface EmbeddedClustersOptions extends EmbeddedClusters {
  readonly dir: string;
  readonly own: Pick<ClusterWork, "environmentsDir" | "catalogueDirs">;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

/** A place that is never empty for long: when its cluster dies, another one of another name takes it. */
interface Place {
  readonly name: string;
  process: ClusterProcess | undefined;
}

/** A place whose clusters die more often than this within ten minutes is given up. */
const MAX_DEATHS = 10;
const WITHIN_MS = 600_000;
const FIRST_PAUSE_MS = 200;

/**
 * Starts embedded clusters, each in a process of its own, and writes their kubeconfigs and the clusters file, readable by
 * this user only. One that dies, of what an agent made of it for example, takes nothing else along: another one takes its
 * place under a new name, so that no episode goes on in an empty cluster, and the services read the file again.
 */
export async function startEmbeddedClusters(options: EmbeddedClustersOptions): Promise<StartedClusters> {
  const { dir, log, signal } = options;
  await using started = new AsyncDisposableStack();
  const clustersFile = join(dir, "clusters.yaml");
  const places = Array.from(
    { length: options.count },
    (_, index): Place => ({
      name: `embedded-${index + 1}`,
      process: undefined,
    }),
  );
  const closing = new AbortController();
  started.defer(() =>
    Promise.all(places.map(({ process }) => process?.[Symbol.asyncDispose]())).then(() => {}),
  );
  started.defer(() => closing.abort());

  const start = async (place: Place, generation: number): Promise<void> => {
    const name = generation === 1 ? place.name : `${place.name}-${generation}`;
    const { environments, seed, timeScale, own } = options;
    const work = { name, environments, seed, timeScale, ...own };
    const ending = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    place.process = await startClusterProcess(work, join(dir, `${name}.log`), ending);
    await writeFile(join(dir, `${name}.kubeconfig`), place.process.cluster.kubeconfig, { mode: 0o600 });
  };
  // One write after another; each writes what is so by then.
  let written: Promise<void> = Promise.resolve();
  const list = (): Promise<void> => {
    written = written.catch(() => {}).then(() => writeClustersFile(clustersFile, dir, places));
    return written;
  };
  const results = await Promise.allSettled(places.map((place) => start(place, 1)));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  await list();
  const kept = places.map((place) =>
    keep(place, { start, list, log, closing: closing.signal }).catch((error: unknown) =>
      log.error({ err: error, place: place.name }, "an embedded cluster is not replaced any more"),
    ),
  );
  started.defer(() => Promise.all(kept).then(() => {}));
  started.defer(() => closing.abort());
  const owned = started.move();
  const running = () => places.flatMap(({ process }) => (process ? [process] : []));
  return {
    clustersFile,
    get names() {
      return running().map(({ cluster }) => cluster.name);
    },
    get pids() {
      return new Map(
        running().flatMap(({ cluster, pid }) => (pid === undefined ? [] : [[cluster.name, pid]])),
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Keeping {
  readonly start: (place: Place, generation: number) => Promise<void>;
  readonly list: () => Promise<void>;
  readonly log: Logger;
  readonly closing: AbortSignal;
}

/** Sees to one place until the range ends, or the place is given up. */
async function keep(place: Place, { start, list, log, closing }: Keeping): Promise<void> {
  const deaths: number[] = [];
  const closed = new Promise<void>((resolve) =>
    closing.addEventListener("abort", () => resolve(), { once: true }),
  );
  for (let generation = 2; !closing.aborted; generation++) {
    const former = place.process;
    const how = await Promise.race([former?.ended ?? "it did not start", closed]);
    if (closing.aborted || how === undefined) return;
    place.process = undefined;
    await list();
    deaths.push(performance.now());
    const recent = deaths.filter((at) => performance.now() - at < WITHIN_MS).length;
    const cluster = former?.cluster.name ?? `${place.name}-${generation - 1}`;
    if (recent > MAX_DEATHS) {
      log.error(
        { cluster, how },
        "an embedded cluster died too often; its place stays empty, start the range again",
      );
      return;
    }
    log.warn(
      { cluster, how },
      "an embedded cluster died; its episodes are tried again on other clusters, and another one takes its place",
    );
    await delay(Math.min(FIRST_PAUSE_MS * 2 ** recent, 30_000), undefined, { signal: closing }).catch(
      () => {},
    );
    await start(place, generation).catch((error: unknown) => {
      if (!closing.aborted) log.warn({ err: error }, "an embedded cluster did not start");
    });
    if (place.process && !closing.aborted) await list();
  }
}

/** Replaced as a whole: services read it while it changes. */
async function writeClustersFile(file: string, dir: string, places: readonly Place[]): Promise<void> {
  const clusters: ClustersFile["clusters"] = places.flatMap(({ process }) => {
    if (!process) return [];
    const { name, clockUrl } = process.cluster;
    return [{ name, kubeconfig: join(dir, `${name}.kubeconfig`), arenas: 1, clock: clockUrl }];
  });
  // JSON is YAML.
  await writeFile(`${file}.new`, `${JSON.stringify({ clusters }, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
