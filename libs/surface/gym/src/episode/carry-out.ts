import {
  type ArenaContext,
  injectFailure,
  measureDamage,
  prepareArena,
  readRecord,
  watchWindow,
} from "@microremed/arena";
import type { CommandOf, Stage, StageBody } from "@microremed/contracts";
import { AppError, type Logger, terminal } from "@microremed/core";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import type { PolicyRegistry } from "@microremed/policies";
import type { Catalogue } from "@microremed/registry";
import { act } from "@microremed/service-executor/act";
import { grade } from "@microremed/service-verifier/grade";
import type { SystemNow } from "./open-system.ts";

/** What stages are carried out with. */
export interface StageDeps {
  readonly catalogue: Catalogue;
  readonly policies: PolicyRegistry;
  readonly log: Logger;
}

/** Every stage but the agent's turn. */
export type HarnessStage = Exclude<Stage, "solve">;

const held = async (): Promise<void> => {};

/** The arena of a command, under a lease that never ends: a system has one episode at a time. */
async function arenaOf(
  { arena, environment }: CommandOf<"inject" | "restore" | "prepare">,
  { catalogue, log }: StageDeps,
  { clusters }: SystemNow,
  signal: AbortSignal,
): Promise<ArenaContext> {
  return {
    ...{ range: "gym", namespace: arena.namespace, lease: arena, catalogue, signal, log, assertLease: held },
    cluster: await clusters.get(arena.cluster),
    environment: catalogue.environments.get(environment),
  };
}

/** Does what the services of a range do for the command, by the same functions. Whatever fails is a body that says so. */
export async function carryOut<S extends HarnessStage>(
  stage: S,
  command: CommandOf<S>,
  deps: StageDeps,
  system: SystemNow,
  signal: AbortSignal,
): Promise<StageBody<S>> {
  try {
    return (await stages[stage](command, deps, system, signal)) as StageBody<S>;
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message, details } = AppError.from(thrown);
    return { status: "failed", error: { code, message, details } } as StageBody<S>;
  }
}

type CarryOut<S extends HarnessStage> = (
  command: CommandOf<S>,
  deps: StageDeps,
  system: SystemNow,
  signal: AbortSignal,
) => Promise<StageBody<S>>;

const stages: { readonly [S in HarnessStage]: CarryOut<S> } = {
  prepare: async (command, deps, system, signal) => {
    const arena = await arenaOf(command, deps, system, signal);
    return { status: "ok", ...(await prepareArena(arena, command)) };
  },
  inject: async ({ window, ...command }, deps, system, signal) => {
    const arena = await arenaOf(command, deps, system, signal);
    return window ? watchWindow(arena, { ...command, window }) : injectFailure(arena, command);
  },
  act: (command, deps, { clusters, runPlaybook }, signal) => {
    const runner = {
      ...createInProcessProber(clusters.open),
      runPlaybook,
      policies: deps.policies,
      clusters,
      isCarried: false,
    };
    const isHeld = { assertHeld: held, assertCurrent: held, begin: async () => true };
    return act(command, runner, { signal, log: deps.log, ...isHeld });
  },
  grade: async (command, { catalogue }, { clusters }, signal) =>
    grade(
      {
        cluster: await clusters.get(command.arena.cluster),
        namespace: command.arena.namespace,
        environment: catalogue.environments.get(command.environment),
        catalogue,
        askJudge: async () => {
          throw terminal("invalid-request", "a gym has no judge of free text");
        },
        signal,
      },
      command,
    ),
  // What was changed is measured; the next episode goes back to a moment of its own.
  restore: async (command, deps, system, signal) => {
    const arena = await arenaOf(command, deps, system, signal);
    const record = await readRecord(arena.cluster, arena.namespace);
    return { status: "ok", how: "reset", damage: await measureDamage(arena, record, command) };
  },
};
