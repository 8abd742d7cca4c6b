import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RangeKind } from "@microremed/contracts";
import { readEnvironment } from "@microremed/environments";
import type { RangeClient } from "@microremed/range-client";
import { type Catalogue, loadCatalogue } from "@microremed/registry";
import { catalogueDirsIn } from "./catalogue.ts";
import { chooseRange, type RangeOptions } from "./choose-range.ts";
import { connectClient } from "./client.ts";
import type { Context } from "./context.ts";
import { connectionTo, type LocalStackOptions, startLocalStack } from "./local-stack.ts";

export interface LocalRangeOptions extends RangeOptions, Omit<LocalStackOptions, "directory" | "replicas"> {}

/** A range that ends with the command that started it. */
export interface LocalRange extends AsyncDisposable {
  readonly kind: RangeKind;
  readonly client: RangeClient;
}

/** Starts the range that was asked for, else the most real one that this machine can run. */
export async function startLocalRange(context: Context, options: LocalRangeOptions): Promise<LocalRange> {
  const { kind, missing } = await chooseRange(context.env, options.range);
  await using started = new AsyncDisposableStack();
  if (missing.length > 0)
    context.terminal.say(
      `not on this machine: ${missing.join(", ")}; using a range in one process instead, which keeps messages and state in memory and interprets playbooks`,
    );
  const client =
    kind === "processes"
      ? await inProcesses(context, options, started)
      : await inThisProcess(context, options, started);
  const owned = started.move();
  return { kind, client, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function inProcesses(
  context: Context,
  options: LocalRangeOptions,
  started: AsyncDisposableStack,
): Promise<RangeClient> {
  const stack = started.use(await startLocalStack(context, options));
  return started.use(await connectClient(connectionTo(stack), context.log));
}

async function inThisProcess(
  context: Context,
  options: LocalRangeOptions,
  started: AsyncDisposableStack,
): Promise<RangeClient> {
  const { arenas, seed, cassette, telemetry } = options;
  const startedAt = Date.now();
  context.terminal.say(
    `starting a local range: ${arenas} embedded cluster${arenas === 1 ? "" : "s"} and five services in one process`,
  );
  const { startInProcessRange } = await import("@microremed/stack/in-process");
  const catalogue = await catalogueOf(context, options, started);
  const range = await startInProcessRange({
    catalogue,
    environments: catalogue.environments.names,
    clusters: arenas,
    seed,
    env: {
      ...context.env,
      ...(cassette !== undefined && { MICROREMED_CASSETTE_DIR: resolve(cassette) }),
      ...(telemetry !== undefined && { TELEMETRY_DIR: resolve(telemetry) }),
    },
    log: context.log,
  });
  // Nothing of it outlives the process: an interrupted command need not wait for work in flight.
  started.defer(async () => {
    if (!context.signal.aborted) await range[Symbol.asyncDispose]();
  });
  context.signal.throwIfAborted();
  context.terminal.say(`ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return range.client;
}

/** The catalogue with the environment of `--manifest-path` in it. */
async function catalogueOf(
  context: Context,
  { catalogue: dirs = catalogueDirsIn(context), manifestPath }: LocalRangeOptions,
  started: AsyncDisposableStack,
): Promise<Catalogue> {
  if (manifestPath === undefined) return loadCatalogue({ dirs });
  const { name } = readEnvironment(manifestPath);
  const environmentsDir = await mkdtemp(join(tmpdir(), "microremed-environment-"));
  started.defer(() => rm(environmentsDir, { recursive: true, force: true }));
  await cp(manifestPath, join(environmentsDir, name), { recursive: true });
  return loadCatalogue({ dirs, environmentsDir });
}
