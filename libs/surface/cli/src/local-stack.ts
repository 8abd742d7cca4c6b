import { resolve } from "node:path";
import { loadCatalogue } from "@microremed/registry";
import { type Stack, startStack } from "@microremed/stack";
import { catalogueDirsIn } from "./catalogue.ts";
import type { Connection } from "./client.ts";
import type { Context } from "./context.ts";
import { terminalLog } from "./terminal-log.ts";

/** What a local range is started with. */
export interface LocalStackOptions {
  /** Embedded clusters, one arena each. */
  readonly arenas: number;
  readonly timeScale: number;
  readonly seed: number;
  readonly replicas?: Readonly<Record<string, number>>;
  /** An environment file that replaces or adds to the registered ones. */
  readonly manifestPath?: string | undefined;
  /** Folders with entries of the user's own. Default: those of CATALOGUE_DIRS. */
  readonly catalogue?: readonly string[];
  /** Directory of saved episodes from which models answer. */
  readonly cassette?: string | undefined;
  /** Directory to which the telemetry of every episode is written. */
  readonly telemetry?: string | undefined;
  /** Port of a gateway; 0: any free one. Default: there is none. */
  readonly gatewayPort?: number | undefined;
  /** Where state and logs are kept. Default: a temporary directory that ends with the range. */
  readonly directory?: string | undefined;
}

/** A client's way into a range that was started here. */
export function connectionTo({ natsUrl, natsUser, natsPassword }: Stack): Connection {
  return { servers: natsUrl, user: natsUser, password: natsPassword };
}

/** Starts NATS, Redis, embedded clusters and the five services on this machine. */
export async function startLocalStack(context: Context, options: LocalStackOptions): Promise<Stack> {
  const { arenas, timeScale, seed, catalogue: catalogueDirs = catalogueDirsIn(context) } = options;
  const { environments } = await loadCatalogue({ dirs: catalogueDirs });
  const startedAt = Date.now();
  context.terminal.say(
    `starting a local range: NATS, Redis, ${arenas} embedded cluster${arenas === 1 ? "" : "s"} at time scale ${timeScale}, five services`,
  );
  const modelsFile = context.env["MICROREMED_MODELS_FILE"];
  const stack = await startStack({
    ...(modelsFile !== undefined && { modelsFile }),
    clusters: { environments: environments.names, count: arenas, timeScale, seed },
    catalogueDirs,
    ...(options.replicas && { replicas: options.replicas }),
    ...(options.gatewayPort !== undefined && { gatewayPorts: [options.gatewayPort] }),
    ...(options.manifestPath !== undefined && { environmentFolder: options.manifestPath }),
    ...(options.directory !== undefined && { dir: options.directory }),
    variables: {
      ...(options.cassette !== undefined && { MICROREMED_CASSETTE_DIR: resolve(options.cassette) }),
      ...(options.telemetry !== undefined && { TELEMETRY_DIR: resolve(options.telemetry) }),
    },
    log: terminalLog(context.terminal, context.log),
    signal: context.signal,
  });
  context.terminal.say(`ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return stack;
}
