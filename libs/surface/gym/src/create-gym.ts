import { unionOfTruths } from "@microremed/catalogue";
import { type EpisodeRecord, environmentOf, firstParameters, taskOf } from "@microremed/contracts";
import { type Logger, silentLogger, terminal } from "@microremed/core";
import { attemptNumber, type EpisodePlan } from "@microremed/episode";
import { createPolicyRegistry } from "@microremed/policies";
import type { Catalogue } from "@microremed/registry";
import type { Action } from "./episode/action.ts";
import type { StageDeps } from "./episode/carry-out.ts";
import type { CaseRequest } from "./episode/case-request.ts";
import { type Episode, goOn, isOver } from "./episode/episode.ts";
import type { SystemNow } from "./episode/open-system.ts";
import { countCases, planCase } from "./episode/plan-case.ts";
import { interpreted, type Playbooks } from "./episode/playbooks.ts";
import { createStarts } from "./episode/starts.ts";
import { withActing } from "./episode/with-acting.ts";
import type { Observation, PrivateState, Result } from "./gym.types.ts";
import { createShelf } from "./held.ts";
import { potentialOf, shaping } from "./reward/potential.ts";
import { type Reward, type RewardWeights, rewardOf, usualWeights } from "./reward/rubric.ts";

/** What a gym is made of. `catalogue` is needed. */
export interface GymOptions {
  readonly catalogue: Catalogue;
  /** Of cases that name none. Default: online-boutique. */
  readonly environment?: string;
  /** Of requests that name no case. Default: easy@1. */
  readonly suite?: string;
  /** Courses of each case, 1 to 1000: a seed has that of its remainder. Default: 4. */
  readonly variants?: number;
  /** Cluster time after a recovery before everything is checked again, s. Less is faster, and lets delayed damage pass. Default: 600. */
  readonly soakSeconds?: number;
  /** Wall clock of a playbook, s: one that takes longer fails, and its attempt counts. Default: as in a range. */
  readonly playbookSeconds?: number;
  /** Starts that are kept. Default: 128. */
  readonly starts?: number;
  /** Systems at once, each with a cluster of its own. Default: 6. */
  readonly systems?: number;
  /** Default: `usualWeights`. */
  readonly weights?: RewardWeights;
  /** Discount of the shaping that is added to every step; absent: nothing is added. */
  readonly shaping?: number;
  /** Default: `interpreted`. */
  readonly playbooks?: Playbooks;
  readonly log?: Logger;
}

/** Episodes in this process, one step at a time on each system. */
export interface Gym extends AsyncDisposable {
  /** Begins an episode of this id, which must be free. Throws `invalid-request` and what the planner throws. */
  reset(id: string, request: CaseRequest, signal?: AbortSignal): Promise<Result>;
  /** Throws `invalid-request` where the id is unknown or the episode is over. After an abort the episode is as before. */
  step(id: string, action: Action, signal?: AbortSignal): Promise<Result>;
  /** Episodes that go on from where this one is: the same bytes as long as they do the same. The new ids must be free. */
  fork(id: string, ids: readonly string[]): readonly Result[];
  /** What the agent was given last. */
  current(id: string): Result;
  /** What its agent may call now. */
  tools(id: string): Episode["tools"];
  state(id: string): PrivateState;
  /** How many cases a suite has. Throws what the planner throws. */
  cases(suite: string): number;
  /** Forgets an episode, and ends its step if one is under way, which throws `unknown-session`. An unknown one is none already. */
  close(id: string): void;
  /** How many there are, and how many starts are kept. */
  readonly counts: { readonly episodes: number; readonly starts: number };
}

/** What is prepared for later shows within it, s. */
const usualSoak = 600;

const never = new AbortController().signal;

/** Opens a gym. Its clusters begin with the first case of their system. Disposing it ends all episodes. */
export function createGym(options: GymOptions): Gym {
  const { catalogue, log = silentLogger, weights = usualWeights, playbooks = interpreted } = options;
  const {
    environment = "online-boutique",
    suite = "easy@1",
    variants = 4,
    soakSeconds = usualSoak,
    playbookSeconds,
  } = options;
  const planning = { catalogue, environment, suite, variants, soakSeconds, playbookSeconds };
  const policies = createPolicyRegistry(undefined);
  const depsFor = (acting: CaseRequest["acting"]): StageDeps => ({
    ...{ catalogue: withActing(catalogue, acting), log, policies },
  });
  const deps = { commands: depsFor("commands"), playbook: depsFor("playbook") };
  const starts = createStarts({
    ...{ catalogue, log, playbooks, depsOf: ({ acting }) => deps[acting] },
    ...{ most: options.starts ?? 128, mostSystems: options.systems ?? 6 },
  });
  const shelf = createShelf();
  const potentialIn = async ({ record }: Episode, { clusters }: SystemNow): Promise<number> => {
    const { arena } = record;
    if (options.shaping === undefined || !arena) return 0;
    return potentialOf(await clusters.get(arena.cluster), arena.namespace);
  };
  const rewarded = (episode: Episode): Reward | undefined =>
    rewardOf({ ...episode, task: episode.plan.task, mostSteps: mostSteps(episode) }, weights);

  return {
    get counts() {
      return { episodes: shelf.size, starts: starts.kept };
    },
    reset: (id, request, until = never) =>
      shelf.alone(id, until, async (signal) => {
        shelf.assertFree(id);
        const planned = planCase(request, planning);
        const { episode, system, moment } = await starts.of(planned, signal);
        const { value: potential } =
          options.shaping === undefined
            ? { value: 0 }
            : await system.at(moment, (now) => potentialIn(episode, now), { signal });
        const observation = { ...observationOf(id, episode), tools: episode.tools };
        const { acting } = request;
        signal.throwIfAborted();
        return shelf.put({
          id,
          acting,
          episode,
          system,
          moment,
          potential,
          result: { observation, reward: null, done: false },
        });
      }),
    step: (id, action, until = never) =>
      shelf.alone(id, until, async (signal) => {
        const before = shelf.get(id);
        const { episode, system } = before;
        if (before.result.done)
          throw terminal("invalid-request", `episode ${id} is over: reset begins another`);
        const { value, moment = before.moment } = await system.at(
          before.moment,
          async (now) => {
            const next = await goOn(episode, action, deps[before.acting], now, signal);
            signal.throwIfAborted();
            return { next, potential: isOver(next) ? undefined : await potentialIn(next, now) };
          },
          { isLast: ({ next }) => isOver(next), signal },
        );
        const { next, potential } = value;
        const shaped =
          options.shaping === undefined ? 0 : shaping(before.potential, potential, options.shaping);
        const result = resultOf(id, next, rewarded, shaped, episode.tools);
        signal.throwIfAborted();
        return shelf.put({ ...before, episode: next, moment, potential: potential ?? 0, result });
      }),
    fork(id, ids) {
      const from = shelf.get(id);
      shelf.assertIdle(id);
      for (const one of ids) shelf.assertFree(one);
      return ids.map((one) => {
        const { result } = from;
        const observation = { ...result.observation, episode_id: one, tools: from.episode.tools };
        return shelf.put({ ...from, id: one, result: { ...result, observation } });
      });
    },
    current: (id) => shelf.get(id).result,
    tools: (id) => shelf.get(id).episode.tools,
    state(id) {
      const { episode, result } = shelf.get(id);
      const { record, plan, conversation, steps } = episode;
      return {
        ...{ episode_id: id, step_count: steps, done: result.done },
        case: {
          id: record.caseId,
          environment: environmentOf(record, plan.request),
          fault: record.failure,
          target: record.target,
        },
        truth: truthsOf(record, plan, catalogue),
        ...{ outcome: record.outcome, reason: record.reason, record, conversation },
      };
    },
    cases: (named) => countCases(named, planning),
    close: (id) => shelf.forget(id),
    [Symbol.asyncDispose]: () => {
      shelf.clear();
      return starts[Symbol.asyncDispose]();
    },
  };
}

function resultOf(
  id: string,
  episode: Episode,
  rewarded: (episode: Episode) => Reward | undefined,
  shaped: number,
  toolsBefore: Episode["tools"],
): Result {
  const observation = observationOf(id, episode);
  if (!isOver(episode)) {
    const isNew = JSON.stringify(episode.tools) !== JSON.stringify(toolsBefore);
    return {
      observation: { ...observation, ...(isNew && { tools: episode.tools }) },
      reward: shaped,
      done: false,
    };
  }
  const reward = rewarded(episode);
  if (reward)
    return {
      observation: { ...observation, reward_parts: reward.parts },
      reward: reward.total + shaped,
      done: true,
    };
  const { record } = episode;
  const error =
    record.error?.message ?? record.earlier?.at(-1)?.error?.message ?? record.reason ?? "the harness failed";
  return { observation: { ...observation, error }, reward: null, done: true };
}

function observationOf(id: string, episode: Episode): Observation {
  const { record, plan, steps, text } = episode;
  const asked = record.asked ?? taskOf(record);
  const rules = plan.task.parts?.find(({ name }) => name === record.asked) ?? plan.task;
  return {
    ...{ episode_id: id, text, task: asked, may_act: rules.mayAct, attempt: attemptNumber(record) },
    ...{ step_count: steps, max_steps: mostSteps(episode) },
  };
}

/** Answers that an episode has at most: probes of every attempt, and a few to hand something in. */
function mostSteps({
  plan: { maxAttempts, request, task },
  record,
}: Pick<Episode, "plan" | "record">): number {
  const probes = record.problem?.limits?.maxProbes ?? request.maxProbes ?? 12;
  return maxAttempts * (probes + 4) * (task.parts?.length ?? 1);
}

function truthsOf(
  record: EpisodeRecord,
  { request }: EpisodePlan,
  { faults, environments }: Catalogue,
): readonly unknown[] {
  const environment = environments.get(environmentOf(record, request));
  const parameters = firstParameters(record, request);
  const first = { failure: record.failure, target: record.target, ...(parameters && { parameters }) };
  const truths = [first, ...(record.problem?.further ?? [])].flatMap(
    ({ failure, target, parameters: own }) => {
      const fault = faults.get(failure);
      return fault.control ? [] : [fault.truth({ environment, target, ...(own && { parameters: own }) })];
    },
  );
  return truths.length === 0 ? [] : [...truths, ...(truths.length > 1 ? [unionOfTruths(truths)] : [])];
}
