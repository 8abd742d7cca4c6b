import type { Rng } from "@microremed/core";
import {
  barePath,
  firstVisit,
  type LoadSpec,
  loadRequests,
  namedLoad,
  nextVisit,
  pauseAfter,
  replayedAt,
  type Session,
  sessionsOf,
  stepsPerSession,
  type Visit,
} from "@microremed/environments";
import type { EventLoop } from "@microremed/sim-time";
import type { LoadProfile } from "./load-profile.ts";

/** How a request for a path would fare now. */
export interface Prospect {
  /** Chance of an answer without an error, 0..1. */
  readonly success: number;
  /** Of those answers, the share whose content is right, 0..1. */
  readonly truth: number;
  readonly meanMs: number;
}

/** One system's users: what they send, and what answers them. */
export interface Audience {
  readonly namespace: string;
  readonly load: LoadSpec;
  readonly prospect: (path: string) => Prospect;
}

/** What users of a system have asked for so far. Only users of journeys and of closed loops are counted. */
export interface Tally {
  readonly sessions: number;
  readonly right: number;
  /** Answered without an error, with other content than the right one. */
  readonly wrong: number;
  readonly failed: number;
}

/** The simulated users of a cluster's systems. */
export interface Users {
  /** Lets users ask until now. Once a tick, before anything is asked of a load. */
  advance(audiences: Iterable<Audience>, seconds: number): void;
  /** Times the system's own requests per second. */
  factor(load: LoadSpec, namespace: string): number;
  /** Bare path -> share of the requests, 0..1; undefined: as the system's own mix has it. */
  shares(load: LoadSpec, namespace: string): ReadonlyMap<string, number> | undefined;
  /** The load that a system is under. */
  current(load: LoadSpec, namespace: string): LoadSpec;
  tally(namespace: string): Tally;
}

interface User {
  /** When it asks next, cluster time, ms. */
  readonly at: number;
  readonly visit: Visit;
}

/** The users of one system. */
interface Crowd {
  load: LoadSpec | undefined;
  users: readonly User[];
  perSecond: number;
  shares: ReadonlyMap<string, number> | undefined;
  tally: Tally;
}

/** Of an open loop: who comes then is turned away. */
const mostUsers = 5000;
/** Of one user in a tick: one who does not pause asks on in the next. */
const mostInTick = 100;

const nothing: Tally = { sessions: 0, right: 0, wrong: 0, failed: 0 };

/**
 * Users who follow loads. A mix in an open loop is a rate, as many users who know nothing of one another make it. Those of
 * journeys and of closed loops are followed one by one: each asks, is answered as the last tick was, thinks, and goes on.
 */
export function createUsers(deps: {
  readonly loop: EventLoop;
  readonly rng: Rng;
  readonly profile: LoadProfile;
  /** Name of the load that a problem has put in place of a system's own. */
  readonly nameOf: (namespace: string) => string | undefined;
}): Users {
  const { loop, rng, profile, nameOf } = deps;
  const crowds = loop.keep(new Map<string, Crowd>());

  function crowdOf(namespace: string): Crowd {
    const known = crowds.get(namespace);
    if (known) return known;
    const fresh = loop.keep<Crowd>({
      ...{ load: undefined, users: [], perSecond: 0, shares: undefined, tally: nothing },
    });
    crowds.set(namespace, fresh);
    return fresh;
  }

  /** Times its mean rate. */
  const courseOf = (load: LoadSpec, namespace: string, now: number): number => {
    const recorded = load.replay?.rows && replayedAt(load.replay.rows, now / 1000).perSecond;
    const usual = profile(load, namespace, now);
    return recorded === undefined ? usual : (usual * recorded) / load.requestsPerSecond;
  };

  const current = (load: LoadSpec, namespace: string): LoadSpec => {
    const name = nameOf(namespace);
    return name !== undefined && Object.hasOwn(load.loads ?? {}, name) ? onceNamed(load, name) : load;
  };

  /** Those of a closed loop begin at different moments of their first pause. */
  function recruit({ users }: Crowd, sessions: readonly Session[], wanted: number, now: number): User[] {
    const more = Array.from({ length: Math.max(0, wanted - users.length) }, () => {
      const visit = firstVisit(sessions, rng.float());
      return { at: now + 1000 * rng.float() * pauseOf(sessions, visit), visit };
    });
    return [...users.slice(0, wanted), ...more];
  }

  const pauseOf = (sessions: readonly Session[], { session, step }: Visit): number => {
    const asked = sessions[session]?.steps[step];
    return asked ? pauseAfter(asked, rng.float()) : 0;
  };

  /** Sessions that begin in an open loop: as many as Poisson's draw says, at any moment of the tick. */
  function arrivals(sessions: readonly Session[], perSecond: number, from: number, seconds: number): User[] {
    const found: User[] = [];
    for (let at = next(perSecond); at < seconds && found.length < mostUsers; at += next(perSecond))
      found.push({ at: from + 1000 * at, visit: firstVisit(sessions, rng.float()) });
    return found;
  }

  const next = (perSecond: number): number =>
    perSecond > 0 ? -Math.log(1 - rng.float()) / perSecond : Number.POSITIVE_INFINITY;

  function follow(crowd: Crowd, { load, namespace, prospect }: Audience, now: number, seconds: number): void {
    const sessions = sessionsOf(load);
    const factor = courseOf(load, namespace, now);
    const isClosed = load.users !== undefined;
    const from = now - 1000 * seconds;
    const perSecond = (load.requestsPerSecond * factor) / stepsPerSession(sessions);
    const users = isClosed
      ? recruit(crowd, sessions, Math.round((load.users ?? 0) * factor), from)
      : [...crowd.users, ...arrivals(sessions, perSecond, from, seconds)].slice(0, mostUsers);
    const asked = new Map<string, number>();
    let { sessions: begun, right, wrong, failed } = crowd.tally;
    crowd.users = users.flatMap((user) => {
      let { at, visit } = user;
      for (let times = 0; at <= now && times < mostInTick; times += 1) {
        const step = sessions[visit.session]?.steps[visit.step];
        if (!step) return [];
        const path = barePath(step.path);
        asked.set(path, (asked.get(path) ?? 0) + 1);
        const { success, truth, meanMs } = prospect(path);
        const isAnswered = rng.float() < success;
        const isRight = isAnswered && rng.float() < truth;
        if (visit.step === 0) begun += 1;
        if (isRight) right += 1;
        else if (isAnswered) wrong += 1;
        else failed += 1;
        at += meanMs + 1000 * pauseAfter(step, rng.float());
        const further = nextVisit(sessions, visit, isRight);
        if (!further && !isClosed) return [];
        visit = further ?? firstVisit(sessions, rng.float());
      }
      return [{ at, visit }];
    });
    crowd.tally = { sessions: begun, right, wrong, failed };
    const all = [...asked.values()].reduce((sum, count) => sum + count, 0);
    crowd.perSecond = seconds > 0 ? all / seconds : 0;
    crowd.shares = all > 0 ? new Map([...asked].map(([path, count]) => [path, count / all])) : undefined;
  }

  return {
    current,
    advance(audiences, seconds) {
      const now = loop.now();
      for (const audience of audiences) {
        const load = current(audience.load, audience.namespace);
        if (!isFollowed(load)) continue;
        const crowd = crowdOf(audience.namespace);
        if (crowd.load !== load) Object.assign(crowd, { load, users: [], shares: undefined });
        follow(crowd, { ...audience, load }, now, seconds);
      }
    },
    factor(own, namespace) {
      const load = current(own, namespace);
      if (isFollowed(load)) return (crowds.get(namespace)?.perSecond ?? 0) / own.requestsPerSecond;
      const times = courseOf(load, namespace, loop.now());
      return load === own ? times : (times * load.requestsPerSecond) / own.requestsPerSecond;
    },
    shares(own, namespace) {
      const load = current(own, namespace);
      if (isFollowed(load)) return crowds.get(namespace)?.shares;
      const recorded = load.replay?.rows && replayedAt(load.replay.rows, loop.now() / 1000).shares;
      if (recorded) return byBarePath([...recorded]);
      return load === own ? undefined : usualShares(load);
    },
    tally: (namespace) => crowds.get(namespace)?.tally ?? nothing,
  };
}

/** Whether each of its users is followed. */
const isFollowed = ({ journeys, users }: LoadSpec): boolean => journeys !== undefined || users !== undefined;

const named = new WeakMap<LoadSpec, Map<string, LoadSpec>>();

/** The same object each time: users begin again when it is another. */
function onceNamed(load: LoadSpec, name: string): LoadSpec {
  const ofLoad = named.get(load) ?? new Map<string, LoadSpec>();
  named.set(load, ofLoad);
  const made = ofLoad.get(name) ?? namedLoad(load, name);
  ofLoad.set(name, made);
  return made;
}

const usual = new WeakMap<LoadSpec, ReadonlyMap<string, number>>();

function usualShares(load: LoadSpec): ReadonlyMap<string, number> {
  const made = usual.get(load) ?? byBarePath(loadRequests(load).map(({ path, share }) => [path, share]));
  usual.set(load, made);
  return made;
}

function byBarePath(shares: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [path, share] of shares) found.set(barePath(path), (found.get(barePath(path)) ?? 0) + share);
  return found;
}
