import { randomUUID } from "node:crypto";
import { AppError, isJsonObject, terminal } from "@microremed/core";
import type { Action } from "../episode/action.ts";
import { CaseRequest } from "../episode/case-request.ts";
import type { Episode } from "../episode/episode.ts";
import { wrongFields } from "../episode/wrong-fields.ts";
import type { PrivateState, Result } from "../gym.types.ts";
import type { GymWorker } from "./start-workers.ts";

/** How many episodes there may be, and how long they last. */
export interface SessionLimits {
  /** Episodes and open connections at once. */
  readonly most: number;
  /** An episode that was not used for so long is forgotten, ms. */
  readonly idleMs: number;
  /** For one reset, s. */
  readonly resetSeconds: number;
  /** For one step that names no deadline, s. */
  readonly stepSeconds: number;
}

/** Most episodes of one fork. */
const mostForks = 256;
/** Longest deadline that a step may ask for, s. */
const mostSeconds = 3_600;

/** Episodes over all workers. */
export interface Sessions {
  /** Begins an episode. Throws `too-many-requests` when there are as many as there may be, and what a gym throws. */
  reset(given: unknown): Promise<Result>;
  step(id: string, action: Action, timeoutSeconds?: number): Promise<Result>;
  fork(id: string, n: number): Promise<readonly Result[]>;
  /** What the agent of an episode was given last; from now on it is used. */
  current(id: string): Promise<Result>;
  /** The same, of an episode that a fork has made. */
  take(id: string): Promise<Result>;
  /** What its agent may call now. */
  tools(id: string): Promise<Episode["tools"]>;
  state(id: string): Promise<PrivateState>;
  /** How many cases a suite has. */
  cases(suite: string): Promise<number>;
  close(id: string): Promise<void>;
  /** Forgets those that were not used for too long. */
  sweep(): Promise<void>;
  readonly capacity: { readonly active: number; readonly most: number };
}

interface Session {
  readonly worker: GymWorker;
  readonly generation: number;
  usedAt: number;
  /** Steps that are not answered. */
  underWay: number;
  /** A fork that no connection has taken yet. */
  isFork: boolean;
}

/** What every episode id of ours begins with; a client's own follow its rules. */
const ownId = (): string => `ep-${randomUUID()}`;
const idPattern = /^[\w.:/@-]{1,255}$/;

export function createSessions(
  workers: readonly GymWorker[],
  { most, idleMs, resetSeconds, stepSeconds }: SessionLimits,
  now: () => number = Date.now,
): Sessions {
  const sessions = new Map<string, Session>();

  const room = (wanted: number): void => {
    const active = sessions.size;
    if (active + wanted <= most) return;
    throw new AppError(
      "too-many-requests",
      `${active} of ${most} episodes are open and ${wanted} more were asked for: close some, wait until idle ones expire (${idleMs / 1000} s), or start the gym with more --sessions`,
      { severity: "retryable", retryAfterMs: 1_000 },
    );
  };
  /** The worker with the fewest episodes. */
  const freest = (): GymWorker => {
    const counts = Map.groupBy(sessions.values(), ({ worker }) => worker);
    const load = (worker: GymWorker): number => counts.get(worker)?.length ?? 0;
    const [first] = workers.toSorted((a, b) => load(a) - load(b));
    if (!first) throw terminal("internal", "the gym has no workers");
    return first;
  };
  const get = (id: string): Session => {
    const found = sessions.get(id);
    if (found && found.generation === found.worker.generation) {
      found.usedAt = now();
      return found;
    }
    sessions.delete(id);
    const why = found ? "its thread ended" : "it was closed or has expired, or never was";
    throw terminal(
      "unknown-session",
      `there is no episode ${JSON.stringify(id.slice(0, 255))}: ${why}; reset begins another`,
    );
  };
  const add = (id: string, worker: GymWorker, isFork = false): void => {
    sessions.set(id, { worker, generation: worker.generation, usedAt: now(), underWay: 0, isFork });
  };
  const close = async (id: string): Promise<void> => {
    const found = sessions.get(id);
    sessions.delete(id);
    if (found && found.generation === found.worker.generation)
      await found.worker.call("close", [id], stepSeconds * 1000).catch(() => {});
  };

  return {
    get capacity() {
      return { active: sessions.size, most };
    },
    async reset(given) {
      if (!isJsonObject(given)) throw terminal("invalid-request", "reset: expected an object with the case");
      const { episode_id = undefined, ...rest } = given;
      const request = CaseRequest.safeParse(rest);
      if (!request.success) throw wrongFields("reset", request.error.issues);
      const id = episode_id == null ? ownId() : String(episode_id);
      if (!idPattern.test(id))
        throw terminal("invalid-request", "episode_id: 1 to 255 letters, digits and any of _ . : / @ -");
      if (sessions.has(id))
        throw terminal(
          "invalid-request",
          `there is an episode ${id} already: close it, or leave episode_id out`,
        );
      room(1);
      const worker = freest();
      add(id, worker);
      try {
        return await worker.call("reset", [id, request.data], resetSeconds * 1000);
      } catch (thrown) {
        sessions.delete(id);
        throw thrown;
      }
    },
    async step(id, action, timeoutSeconds = stepSeconds) {
      const session = get(id);
      session.underWay++;
      try {
        const timeoutMs = Math.min(mostSeconds, timeoutSeconds) * 1000;
        return await session.worker.call("step", [id, action], timeoutMs);
      } finally {
        session.underWay--;
        session.usedAt = now();
      }
    },
    async fork(id, n) {
      if (!Number.isInteger(n) || n < 1 || n > mostForks)
        throw terminal("invalid-request", `n: a whole number from 1 to ${mostForks}`);
      const { worker } = get(id);
      room(n);
      const ids = Array.from({ length: n }, ownId);
      for (const one of ids) add(one, worker, true);
      try {
        return await worker.call("fork", [id, ids], stepSeconds * 1000);
      } catch (thrown) {
        for (const one of ids) sessions.delete(one);
        throw thrown;
      }
    },
    current: async (id) => get(id).worker.call("current", [id], stepSeconds * 1000),
    async take(id) {
      const session = get(id);
      if (!session.isFork)
        throw terminal(
          "invalid-request",
          `fork: ${id} is no fork, or has been taken already; each is taken once`,
        );
      session.isFork = false;
      return session.worker.call("current", [id], stepSeconds * 1000);
    },
    tools: async (id) => get(id).worker.call("tools", [id], stepSeconds * 1000),
    state: async (id) => get(id).worker.call("state", [id], stepSeconds * 1000),
    cases: (suite) => freest().call("cases", [suite], stepSeconds * 1000),
    close,
    async sweep() {
      const before = now() - idleMs;
      const isOld = ({ usedAt, underWay }: Session): boolean => underWay === 0 && usedAt < before;
      const old = [...sessions].filter(([, session]) => isOld(session)).map(([id]) => id);
      await Promise.all(old.map(close));
    },
  };
}
