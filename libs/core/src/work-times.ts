import { AsyncLocalStorage } from "node:async_hooks";

/** Where the wall time of a piece of work went. No moment counts twice, however much goes on in it. */
export interface WorkTimes {
  /** Calls of other programs that answer as soon as they can. */
  readonly requests: number;
  /** Time in which at least one request was under way, ms. */
  readonly requestMs: number;
  /** Time in which all that was under way were waits: for a clock, or for a condition, ms. */
  readonly waitMs: number;
}

type Activity = "request" | "wait";

interface Account {
  requests: number;
  requestMs: number;
  waitMs: number;
  readonly underWay: Record<Activity, number>;
  /** When what is under way last changed. */
  since: number;
}

const accounts = new AsyncLocalStorage<Account>();

/** Runs `work`; in it, `times` says where its time went so far. */
export function accountWork<T>(work: (times: () => WorkTimes) => Promise<T>): Promise<T> {
  const account: Account = {
    requests: 0,
    requestMs: 0,
    waitMs: 0,
    underWay: { request: 0, wait: 0 },
    since: performance.now(),
  };
  const times = (): WorkTimes => {
    settle(account);
    const { requests, requestMs, waitMs } = account;
    return { requests, requestMs: Math.round(requestMs), waitMs: Math.round(waitMs) };
  };
  return accounts.run(account, () => work(times));
}

/** The same function, whose calls count as requests of the work that they are a part of. */
export function asRequest<A extends unknown[], R>(
  call: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return accountedAs("request", call);
}

/** The same function, whose calls count as waits of the work that they are a part of. */
export function asWait<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return accountedAs("wait", call);
}

function accountedAs<A extends unknown[], R>(activity: Activity, call: (...args: A) => Promise<R>) {
  return async (...args: A): Promise<R> => {
    const account = accounts.getStore();
    if (!account) return call(...args);
    settle(account);
    account.underWay[activity]++;
    if (activity === "request") account.requests++;
    try {
      return await call(...args);
    } finally {
      settle(account);
      account.underWay[activity]--;
    }
  };
}

/** Books the time since the last change to what was under way in it. */
function settle(account: Account): void {
  const now = performance.now();
  if (account.underWay.request > 0) account.requestMs += now - account.since;
  else if (account.underWay.wait > 0) account.waitMs += now - account.since;
  account.since = now;
}
