import { type Stack, startStack } from "@microremed/stack";
import type { Context } from "./context.ts";

/** What a local stack is started with. */
export interface LocalStackOptions {
  readonly environments: readonly string[];
  readonly arenas: number;
  readonly timeScale: number;
  readonly seed: number;
  readonly replicas?: Readonly<Record<string, number>>;
  readonly manifestPath?: string | undefined;
  readonly directory?: string | undefined;
}

/** Starts NATS, Redis, embedded clusters and the five services on this machine. */
export async function startLocalStack(context: Context, options: LocalStackOptions): Promise<Stack> {
  const startedAt = Date.now();
  context.terminal.say(
    `starting a local range: NATS, Redis, ${options.arenas} embedded cluster${options.arenas === 1 ? "" : "s"} at time scale ${options.timeScale}, five services`,
  );
  const stack = await startStack({
    clusters: { count: options.arenas, timeScale: options.timeScale, seed: options.seed },
    ...(options.replicas && { replicas: options.replicas }),
    ...(options.manifestPath !== undefined && { environmentFile: options.manifestPath }),
    ...(options.directory !== undefined && { dir: options.directory }),
    env: context.env,
    log: context.log,
    signal: context.signal,
  });
  context.terminal.say(`ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return stack;
}
