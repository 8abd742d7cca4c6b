import { rename, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ClustersFile } from "@microremed/contracts";
import { AppError, type Logger } from "@microremed/core";
import type { ClusterWork, HostedServiceWork } from "./cluster-host/host-messages.types.ts";
import { type ClusterHost, startClusterHost } from "./cluster-host/start-host.ts";
import type { EmbeddedClusters, StackService } from "./stack.types.ts";

/** The services of one process with clusters, by their names in the range. */
export type ServicesOf = (host: number, hosts: number) => readonly (HostedServiceWork & { name: string })[];

export interface StartedClusters extends AsyncDisposable {
  /** Of those that run now. */
  readonly names: readonly string[];
  /** Process ids by the names of the clusters that run now. */
  readonly pids: ReadonlyMap<string, number>;
  readonly clustersFile: string;
  /** Starts services in each of the processes, once, and again in each that takes the place of one that died. */
  serve(services: ServicesOf, onRestart: () => void): Promise<readonly StackService[]>;
}

export interface EmbeddedClustersOptions extends EmbeddedClusters {
  readonly dir: string;
  readonly own: Pick<ClusterWork, "environmentsDir" | "catalogueDirs">;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
}

/** A place that is never empty for long: when its process dies, another one takes it, with clusters of other names. */
interface Place {
  readonly number: number;
  /** Names of its first clusters. */
  readonly names: readonly string[];
  host: ClusterHost | undefined;
  /** Names of clusters that died here. */
  former: readonly string[];
  deaths: number;
  healthPorts: readonly number[];
}

/** A place whose process dies more often than this within ten minutes is given up. */
const MAX_DEATHS = 10;
const WITHIN_MS = 600_000;
const FIRST_PAUSE_MS = 200;

/**
 * Starts embedded clusters, several in a process, as many processes as the machine has cores, and writes their kubeconfigs
 * and the clusters file, readable by this user only. When a process dies, of what an agent made of a cluster for example,
 * it takes its clusters and services along, and nothing else: another process takes its place. Its clusters have new
 * names, so that no episode goes on in an empty cluster, and the schedulers read the file again.
 */
export async function startEmbeddedClusters(options: EmbeddedClustersOptions): Promise<StartedClusters> {
  const { dir, log, signal } = options;
  await using started = new AsyncDisposableStack();
  const clustersFile = join(dir, "clusters.yaml");
  const places = placesFor(options);
  const closing = new AbortController();
  started.defer(() => Promise.all(places.map(({ host }) => host?.[Symbol.asyncDispose]())).then(() => {}));
  started.defer(() => closing.abort());
  const ending = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  let serve = async (_place: Place): Promise<void> => {};

  const start = async (place: Place): Promise<void> => {
    const { environments, seed, timeScale, own } = options;
    const names = place.names.map((name) => (place.deaths === 0 ? name : `${name}-${place.deaths + 1}`));
    const work = { names, environments, seed, timeScale, ...own };
    place.host = await startClusterHost(work, join(dir, `clusters-${place.number}.log`), ending);
    await Promise.all(
      place.host.clusters.map(({ name, kubeconfig }) =>
        writeFile(join(dir, `${name}.kubeconfig`), kubeconfig, { mode: 0o600 }),
      ),
    );
  };
  // One write after another; each writes what is so by then.
  let written: Promise<void> = Promise.resolve();
  const list = (): Promise<void> => {
    written = written.catch(() => {}).then(() => writeClustersFile(clustersFile, dir, places));
    return written;
  };
  const results = await Promise.allSettled(places.map(start));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  await list();
  const again = async (place: Place): Promise<void> => {
    try {
      await start(place);
      await list();
      await serve(place);
    } catch (error) {
      // Clusters without services would be given to episodes, which would wait for ever.
      await place.host?.[Symbol.asyncDispose]();
      throw error;
    }
  };
  const kept = places.map((place) =>
    keep(place, { again, list, log, closing: closing.signal }).catch((error: unknown) =>
      log.error({ err: error, clusters: place.names }, "embedded clusters are not replaced any more"),
    ),
  );
  started.defer(() => Promise.all(kept).then(() => {}));
  started.defer(() => closing.abort());
  const owned = started.move();
  const running = () =>
    places.flatMap(({ host }) => (host?.clusters ?? []).map(({ name }) => ({ name, pid: host?.pid })));
  return {
    clustersFile,
    get names() {
      return running().map(({ name }) => name);
    },
    get pids() {
      return new Map(running().flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid]])));
    },
    async serve(services, onRestart) {
      const work = (place: Place) => services(place.number, places.length);
      const begin = async (place: Place): Promise<void> => {
        place.healthPorts =
          (await place.host?.serve({ services: work(place), former: place.former })) ?? place.healthPorts;
      };
      serve = async (place) => {
        await begin(place);
        onRestart();
      };
      await Promise.all(places.map(begin));
      return places.flatMap((place) => work(place).map((one, index) => serviceOf(place, one, index)));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Clusters are spread evenly over the processes. */
function placesFor({ count, hosts = availableParallelism() }: EmbeddedClusters): readonly Place[] {
  const names = Array.from({ length: count }, (_, index) => `embedded-${index + 1}`);
  const used = Math.max(1, Math.min(hosts, count));
  return Array.from({ length: used }, (_, index) => ({
    number: index + 1,
    names: names.filter((_name, at) => at % used === index),
    host: undefined,
    former: [],
    deaths: 0,
    healthPorts: [],
  }));
}

function serviceOf(
  place: Place,
  { name, logFile }: { readonly name: string; readonly logFile: string },
  index: number,
): StackService {
  return {
    name,
    logFile,
    get pid() {
      return place.host?.pid;
    },
    get healthUrl() {
      return `http://127.0.0.1:${place.healthPorts[index] ?? 0}`;
    },
    get restarts() {
      return place.deaths;
    },
  };
}

interface Keeping {
  readonly again: (place: Place) => Promise<void>;
  readonly list: () => Promise<void>;
  readonly log: Logger;
  readonly closing: AbortSignal;
}

/** Sees to one place until the range ends, or the place is given up. */
async function keep(place: Place, { again, list, log, closing }: Keeping): Promise<void> {
  const deaths: number[] = [];
  const closed = new Promise<void>((resolve) =>
    closing.addEventListener("abort", () => resolve(), { once: true }),
  );
  while (!closing.aborted) {
    const { host } = place;
    const how = await Promise.race([host?.ended ?? "it did not start", closed]);
    if (closing.aborted || how === undefined) return;
    place.host = undefined;
    place.deaths++;
    const clusters = host?.clusters.map(({ name }) => name) ?? [];
    place.former = [...place.former, ...clusters];
    await list();
    deaths.push(performance.now());
    const recent = deaths.filter((at) => performance.now() - at < WITHIN_MS).length;
    if (recent > MAX_DEATHS) {
      log.error(
        { clusters, how },
        "a process with embedded clusters died too often; its place stays empty, start the range again",
      );
      return;
    }
    log.warn(
      { clusters, how },
      "a process with embedded clusters died; its episodes are tried again on other clusters, and others take their place",
    );
    await delay(Math.min(FIRST_PAUSE_MS * 2 ** recent, 30_000), undefined, { signal: closing }).catch(
      () => {},
    );
    await again(place).catch((thrown: unknown) => {
      const { message } = AppError.from(thrown);
      if (!closing.aborted) log.warn({ error_message: message }, "embedded clusters did not start");
    });
  }
}

/** Replaced as a whole: services read it while it changes. */
async function writeClustersFile(file: string, dir: string, places: readonly Place[]): Promise<void> {
  const clusters: ClustersFile["clusters"] = places
    .flatMap(({ host }) => host?.clusters ?? [])
    .map(({ name, clockUrl }) => ({
      name,
      kubeconfig: join(dir, `${name}.kubeconfig`),
      arenas: 1,
      sendsLoad: true,
      ownNameServer: true,
      clock: clockUrl,
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  // JSON is YAML.
  await writeFile(`${file}.new`, `${JSON.stringify({ clusters }, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
