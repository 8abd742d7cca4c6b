import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RangeKind } from "@microremed/contracts";
import { readEnvironment } from "@microremed/environments";
import type { RangeClient } from "@microremed/range-client";
import { type Catalogue, loadCatalogue } from "@microremed/registry";
import type { Stack } from "@microremed/stack";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { catalogueDirsIn } from "./catalogue.ts";
import { chooseRange, type RangeOptions } from "./choose-range.ts";
import { connectClient } from "./client.ts";
import type { Context } from "./context.ts";
import { connectionTo, type LocalStackOptions, startLocalStack } from "./local-stack.ts";

/** Replicas, and a directory, are of ranges of processes. */
export interface LocalRangeOptions extends RangeOptions, LocalStackOptions {}

/** A range that ends with the command that started it. */
export interface LocalRange extends AsyncDisposable {
  readonly kind: RangeKind;
  readonly client: RangeClient;
  /** Undefined: none was asked for. */
  readonly gateway: LocalGateway | undefined;
  /** Undefined: it is one process. */
  readonly stack?: Stack;
}

/** The gateway of a local range. */
export interface LocalGateway {
  /** Where it listens. */
  readonly url: string;
  /** With the right to make some. */
  readonly tokens: Pick<State["tokens"], "put">;
}

type Opened = Pick<LocalRange, "client" | "gateway" | "stack">;

/** Starts the range that was asked for, else the most real one that this machine can run. */
export async function startLocalRange(context: Context, options: LocalRangeOptions): Promise<LocalRange> {
  const { kind, missing } = await chooseRange(context.env, options.range);
  await using started = new AsyncDisposableStack();
  if (missing.length > 0)
    context.terminal.say(
      `not on this machine: ${missing.join(", ")}; using a range in one process instead, which keeps messages and state in memory and interprets playbooks`,
    );
  const opened =
    kind === "processes"
      ? await inProcesses(context, options, started)
      : await inThisProcess(context, options, started);
  const owned = started.move();
  return { kind, ...opened, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function inProcesses(
  context: Context,
  options: LocalRangeOptions,
  started: AsyncDisposableStack,
): Promise<Opened> {
  const stack = started.use(await startLocalStack(context, options));
  const client = started.use(await connectClient(connectionTo(stack), context.log));
  return { stack, client, gateway: await gatewayOf(context, stack, started) };
}

/** The first gateway of a stack, and its tokens with the administrator's rights. */
async function gatewayOf(
  { log }: Pick<Context, "log">,
  { gateways: [url], redisUrl }: Pick<Stack, "gateways" | "redisUrl">,
  started: AsyncDisposableStack,
): Promise<LocalGateway | undefined> {
  if (url === undefined) return undefined;
  const { tokens } = started.use(await connectRedisState({ url: redisUrl, log }));
  return { url, tokens };
}

async function inThisProcess(
  context: Context,
  options: LocalRangeOptions,
  started: AsyncDisposableStack,
): Promise<Opened> {
  const { arenas, seed, cassette, telemetry, gatewayPort } = options;
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
    ...(gatewayPort !== undefined && { gatewayPort }),
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
  const { client, gateway, state } = range;
  return { client, gateway: gateway && { url: gateway.url, tokens: state.tokens } };
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
