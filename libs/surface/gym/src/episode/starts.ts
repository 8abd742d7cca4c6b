import { AppError, type Logger, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { beforeAbort } from "./before-abort.ts";
import type { StageDeps } from "./carry-out.ts";
import { type Episode, goOn, isOver } from "./episode.ts";
import { type Moment, openSystem, type System } from "./open-system.ts";
import type { PlannedCase } from "./plan-case.ts";
import type { Playbooks } from "./playbooks.ts";

/** A case after its injection: its agent is asked for the first time. */
export interface Start {
  readonly episode: Episode;
  readonly system: System;
  readonly moment: Moment;
}

/** The cases that were started, of which the ones that were asked for last are kept. */
export interface Starts extends AsyncDisposable {
  /** Starts the case, or gives the start that is kept. Throws `invalid-request` where the fault has no effect. */
  of(planned: PlannedCase, signal: AbortSignal): Promise<Start>;
  /** How many are kept. */
  readonly kept: number;
}

/** `most`: starts that are kept. `mostSystems`: clusters, each with one system. */
export interface StartsOptions {
  readonly catalogue: Catalogue;
  readonly log: Logger;
  readonly depsOf: (planned: Pick<PlannedCase, "acting">) => StageDeps;
  readonly playbooks: Playbooks;
  readonly most: number;
  readonly mostSystems: number;
}

export function createStarts({ depsOf, most, mostSystems, ...options }: StartsOptions): Starts {
  const systems = createSystems(options, mostSystems);
  const kept = new Map<string, Promise<Start>>();
  return {
    get kept() {
      return kept.size;
    },
    async of(planned, signal) {
      const key = keyOf(planned);
      const known = kept.get(key);
      // Others may wait for the same start: it goes on when the one who asked first has gone.
      const starting = known ?? start(planned, systems.of(planned.environment), depsOf(planned));
      // What was asked for last is last.
      kept.delete(key);
      kept.set(key, starting);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      if (!known)
        starting.catch(() => {
          if (kept.get(key) === starting) kept.delete(key);
        });
      return beforeAbort(starting, signal);
    },
    [Symbol.asyncDispose]: () => {
      kept.clear();
      return systems[Symbol.asyncDispose]();
    },
  };
}

/** Everything that a start depends on. */
function keyOf({ record, acting, plan: { request } }: PlannedCase): string {
  return JSON.stringify([record, request, acting]);
}

async function start({ record, plan }: PlannedCase, system: System, deps: StageDeps): Promise<Start> {
  const { signal } = new AbortController();
  const { namespace } = deps.catalogue.environments.get(
    plan.request.environment ?? record.problem?.environment ?? "",
  );
  const arena = { cluster: system.cluster, slot: 0, namespace, fence: 1 };
  const leased = { ...record, arena, state: "leased" } as const;
  const fresh: Episode = { record: leased, plan, conversation: [], tools: [], steps: 0, text: "" };
  const { value: episode, moment } = await system.at(
    undefined,
    (now) => goOn(fresh, undefined, deps, now, signal),
    { isLast: isOver },
  );
  if (moment) return { episode, system, moment };
  const { error, redraws } = episode.record;
  if (error) throw new AppError(error.code, error.message, { details: error.details });
  const why = redraws.at(-1)?.reason ?? episode.record.reason ?? "it ended before the agent was asked";
  throw terminal(
    "invalid-request",
    `${record.failure} on ${record.target} cannot be tried: ${why}; choose another target or fault`,
  );
}

interface Systems extends AsyncDisposable {
  of(environment: string): System;
}

/** One cluster for each system. */
function createSystems(
  { catalogue, log, playbooks }: Pick<StartsOptions, "catalogue" | "log" | "playbooks">,
  most: number,
): Systems {
  const open = new Map<string, System>();
  return {
    of(name) {
      const known = open.get(name);
      if (known) return known;
      const environment = catalogue.environments.get(name);
      if (open.size >= most)
        throw terminal(
          "invalid-request",
          `${name} would be one system too many: a worker has at most ${most}, and has ${[...open.keys()].join(", ")}; start the gym with more --systems`,
        );
      const system = openSystem(environment, playbooks, log);
      open.set(name, system);
      return system;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...open.values()].map((system) => system[Symbol.asyncDispose]()));
    },
  };
}
