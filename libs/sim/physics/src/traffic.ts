import { callLatency, carriedShare, httpEffect, httpFaultsOn, linkBetween } from "@microremed/sim-network";
import { addedByFlags, changedByFlags, errorsByFlags, floodOf, wrongByFlags } from "./active-flags.ts";
import { isExhausted, waitForConnection } from "./connection-pool.ts";
import { isUp, type KindState, otherDemands, programSpeed, shareForTasks, sum } from "./container-state.ts";
import { workSeconds } from "./cpu.ts";
import { ioDelayMs } from "./io-delay.ts";
import { cutAt, exceeds, type Latency, noLatency, plus } from "./latency.ts";
import { shared, utilisation, waitForServer } from "./queueing.ts";
import {
  dnsFault,
  type RequestKind,
  type Route,
  type Station,
  type Target,
  type Topology,
} from "./topology.ts";
import type { Users } from "./users.ts";

/** A name that does not resolve, or a registry without instances: the client fails at once. */
const failsAtOnce: Latency = { fixed: 1, mean: 1 };
/** Requests that wait in a listen queue at most (net.core.somaxconn and thread pools are of this order). */
const longestQueue = 1000;
/** Runtimes that run requests on one core only. */
const singleThreaded = new Set(["python", "node", "redis", "locust"]);
const mostThreads = 8;

/** Core-seconds of a request. */
const workOf = (station: Station): number =>
  ((station.container.behaviour?.cpuMillisPerRequest ?? 0) + addedByFlags(station, "cpuMillisPerRequest")) /
  1000;
const serversOf = (station: Station): number => station.container.behaviour?.concurrency ?? 1;

/**
 * Requests from the callers to the callees: each program serves what its CPU and its workers allow, keeps the rest
 * waiting, and makes its calls in order; a required call that fails ends the request, so what follows sees less.
 */
export function pushLoad(
  { stations, outside }: Topology,
  seconds: number,
  users: Pick<Users, "factor" | "shares">,
): void {
  const mixes = new Map<string, ReadonlyMap<string, number> | undefined>();
  for (const { route, load, namespace } of outside) {
    send(route, load.requestsPerSecond * users.factor(load, namespace));
    mixes.set(namespace, users.shares(load, namespace));
  }
  const floods = new Map<string, Flood>();
  for (const station of stations) {
    const generated =
      station.ownRate > 0 && isUp(station.container)
        ? station.ownRate * users.factor(station.program.environment.load, station.namespace)
        : 0;
    if (generated > 0)
      mixes.set(station.namespace, users.shares(station.program.environment.load, station.namespace));
    const flood = generated > 0 ? floodOf(station) : noFlood;
    if (generated > 0) floods.set(station.namespace, { usual: generated, flood });
    mixIn(station, floods.get(station.namespace), mixes.get(station.namespace));
    station.offered = station.arriving + generated + sum([...flood.values()]);
    station.state.ownErrors = station.offered > 0 ? station.arrivingErrors / station.offered : 0;
    station.arriving = 0;
    station.arrivingErrors = 0;
    serve(station, seconds);
    const calls = callsOf(station);
    for (const route of station.routes) send(route, calls.get(route) ?? 0);
  }
}

const noFlood: ReadonlyMap<string, number> = new Map();

/** What a load generator sends: as usual, and besides by path, requests per second. */
interface Flood {
  readonly usual: number;
  readonly flood: ReadonlyMap<string, number>;
}

/** At the entry more requests for one path are a greater share of all. `shares`: of the users' requests; default: the usual ones. */
function mixIn(
  { mix }: Station,
  load: Flood | undefined,
  shares: ReadonlyMap<string, number> | undefined,
): void {
  if (mix.length < 2) return;
  const whole = load ? load.usual + sum([...load.flood.values()]) : 0;
  for (const kind of mix) {
    const more = load?.flood.get(kind.path ?? "") ?? 0;
    const usual = shares ? (shares.get(kind.path ?? "") ?? 0) : kind.usual;
    kind.share = load && whole > 0 ? (usual * load.usual + more) / whole : usual;
  }
}

/** Calls per second of each route, over all kinds of requests. */
function callsOf({ mix, served }: Station): ReadonlyMap<Route, number> {
  const calls = new Map<Route, number>();
  for (const { share, routes } of mix) {
    let reach = share;
    for (const route of routes) {
      calls.set(route, (calls.get(route) ?? 0) + served * route.call.perRequest * reach);
      reach *= survival(route);
    }
  }
  return calls;
}

function serve(station: Station, seconds: number): void {
  const { state, offered } = station;
  if (!isUp(station.container)) {
    station.served = 0;
    state.backlog = 0;
    return;
  }
  const most = throughput(station);
  state.isLimited = most === station.admits;
  // Users of a load generator wait for their answers: what cannot be served is never asked for.
  const waiting = station.ownRate > 0 ? 0 : state.backlog;
  station.served = Math.min(offered + waiting / seconds, most);
  const left = station.ownRate > 0 ? 0 : waiting + (offered - station.served) * seconds;
  state.backlog = Math.max(0, Math.min(left, longestQueue, (most * station.limitMs) / 1000));
  state.dropped = left > state.backlog && offered > 0 ? (left - state.backlog) / (offered * seconds) : 0;
  state.dropped = Math.min(1, state.dropped);
}

/** Requests per second that its CPU, its workers and its limiter allow. */
function throughput(station: Station): number {
  const work = workOf(station);
  const byCpu = work > 0 ? programCores(station) / work : Number.POSITIVE_INFINITY;
  const { holdMs } = station.state;
  const byWorkers = holdMs > 0 ? (1000 * serversOf(station)) / holdMs : Number.POSITIVE_INFINITY;
  return Math.min(byCpu, byWorkers, station.admits, 1e6);
}

/** Cores that the program would get if it wanted as much as its threads can use. */
export function programCores({ container, state }: Station): number {
  return shareForTasks(state.capacity, otherDemands(container), state.threads);
}

/** Sends calls, each tried as often as the last tick's failures ask for. */
function send(route: Route, calls: number): void {
  const changed = changedByFlags(route);
  const rate = calls * route.tries * changed.times;
  route.rate = rate;
  const targets = usable(route);
  if (isExhausted(route)) return;
  const sent = rate * (1 - changed.astray);
  for (const { station, admitted, refusal } of targets) {
    if (!station || !admitted || !isUp(station.container)) continue;
    const arriving = ((1 - (refusal?.share ?? 0)) * sent) / targets.length;
    station.arriving += arriving;
    station.arrivingErrors += arriving * errorsByFlags(station, route.call);
  }
}

/** The pods that a call may go to right now. */
export function usable(route: Route): readonly Target[] {
  if (dnsFault(route)) return [];
  if (route.call.discovery === "dns") return route.targets;
  return route.targets.filter(({ station }) => station && isUp(station.container));
}

/** Chance that a request goes on after a call: one that is made `perRequest` times must succeed every time. */
function survival({ call, success }: Route): number {
  if (!call.required) return 1;
  return call.perRequest < 1 ? 1 - call.perRequest * (1 - success) : success ** call.perRequest;
}

/** Share of a request's answers that stay right after a call, if it needs what is answered. */
function truthAfter({ call, truth }: Route): number {
  if (!call.required || truth === 1) return 1;
  return call.perRequest < 1 ? 1 - call.perRequest * (1 - truth) : truth ** call.perRequest;
}

/** Answers from the callees to the callers: latency and success of every program and call. */
export function pullAnswers({ stations, outside }: Topology): void {
  for (let index = stations.length - 1; index >= 0; index--) {
    const station = stations[index];
    if (!station) continue;
    for (const route of station.routes) settle(route);
    respond(station);
  }
  for (const { route } of outside) settle(route);
}

function settle(route: Route): void {
  const targets = usable(route);
  if (targets.length === 0) {
    // A random address is dialled until the caller gives up.
    const limitMs = 1000 * route.call.timeoutSeconds;
    const latency = dnsFault(route) === "random" ? { fixed: limitMs, mean: limitMs } : failsAtOnce;
    retry(route, { success: 0, latency });
    route.truth = 1;
    return;
  }
  const limitMs = 1000 * route.call.timeoutSeconds;
  if (isExhausted(route)) {
    retry(route, { success: 0, latency: { fixed: limitMs, mean: limitMs } });
    return;
  }
  let success = 0;
  let right = 0;
  let mean = 0;
  let fixed = Number.POSITIVE_INFINITY;
  for (const target of targets) {
    const outcome = reach(route, target, limitMs);
    success += outcome.success / targets.length;
    right += (outcome.success * truthOf(route, target)) / targets.length;
    mean += outcome.latency.mean / targets.length;
    fixed = Math.min(fixed, outcome.latency.fixed);
  }
  route.truth = success > 0 && right < success ? right / success : 1;
  const { astray } = changedByFlags(route);
  if (astray > 0) {
    success *= 1 - astray;
    mean = (1 - astray) * mean + astray * failsAtOnce.mean;
    fixed = Math.min(fixed, failsAtOnce.fixed);
  }
  if (route.pool) {
    const wait = waitForConnection(route, mean);
    mean += wait.chance * wait.ms;
  }
  retry(route, { success, latency: { fixed, mean } });
}

/** Share of a target's answers that are right, of those without an error. */
const truthOf = ({ call }: Route, { station }: Target): number =>
  station ? station.truth * (1 - wrongByFlags(station, call)) : 1;

/** What a call with its retries comes to when each try fails independently. */
function retry(route: Route, attempt: Route["attempt"]): void {
  const { retries = 0, retryBackoffMs = 0 } = route.call;
  const failure = 1 - attempt.success;
  const lost = failure ** (retries + 1);
  route.attempt = attempt;
  route.tries = failure < 1 ? (1 - lost) / (1 - failure) : retries + 1;
  route.success = 1 - lost;
  const { fixed, mean } = attempt.latency;
  route.latency = { fixed, mean: mean * route.tries + retryBackoffMs * (route.tries - 1) };
}

function reach(route: Route, target: Target, limitMs: number): { success: number; latency: Latency } {
  if (!target.admitted) return { success: 0, latency: { fixed: limitMs, mean: limitMs } };
  const { network, carried, cutShare, delay } = hopOf(route, target);
  const { station } = target;
  if (!station || !isUp(station.container)) return { success: 0, latency: cutAt(network, limitMs) };
  const refused = target.refusal?.share ?? 0;
  if (refused === 1)
    return {
      success: 0,
      latency: target.refusal?.isSilent ? { fixed: limitMs, mean: limitMs } : cutAt(network, limitMs),
    };
  const total = plus(plus(network, station.latency), delay);
  const sound = (1 - refused) * station.soundness * (1 - errorsByFlags(station, route.call));
  const success = sound * carried * (1 - cutShare) * (1 - exceeds(total, limitMs));
  return { success, latency: cutAt(total, limitMs) };
}

/** The path between a caller and one of its targets. */
interface Hop {
  readonly network: Latency;
  /** Share of the calls that the links carry. */
  readonly carried: number;
  /** Chance that a transparent proxy spoils a call, and its delay. */
  readonly cutShare: number;
  readonly delay: Latency;
}

/** What a call meets on its way to one target. The route's rate is split evenly over its targets. */
export function hopOf(route: Route, target: Target): Hop {
  const link = linkBetween(route.from, target.sandbox, target.dialledIp);
  const flow = { callsPerSecond: route.rate / Math.max(1, route.targets.length) };
  const network = callLatency(link, route.call.protocol === "http", flow);
  return {
    network: route.lookupMs > 0 ? plus({ fixed: route.lookupMs, mean: route.lookupMs }, network) : network,
    carried: carriedShare(link, flow),
    ...throughProxy(route, target),
  };
}

const unproxied = { cutShare: 0, delay: noLatency };

/** What a transparent proxy before the callee adds: the chance that it spoils a call, and its delay. */
function throughProxy(route: Route, { sandbox, port }: Target): { cutShare: number; delay: Latency } {
  if (route.call.protocol !== "http") return unproxied;
  const faults = httpFaultsOn(sandbox, port);
  if (faults.length === 0) return unproxied;
  const { paths } = route.call;
  const effects = paths.map((path) => httpEffect(faults, path, 200));
  const cut = effects.filter(({ aborted, code }) => aborted || (code ?? 200) >= 400).length;
  const delays = effects.map(({ delayMs }) => delayMs);
  const mean = sum(delays) / paths.length;
  return { cutShare: cut / paths.length, delay: { fixed: Math.min(...delays), mean } };
}

/** What the calls and writes of one kind of request come to. */
function outcomeOf({ routes }: RequestKind, writes: Latency): Omit<KindState, "path"> {
  let calls = noLatency;
  let callSuccess = 1;
  let callTruth = 1;
  for (const route of routes) {
    const { delayMs } = changedByFlags(route);
    const latency = delayMs > 0 ? plus(route.latency, { fixed: delayMs, mean: delayMs }) : route.latency;
    calls = plus(calls, latency, route.call.perRequest * callSuccess);
    callSuccess *= survival(route);
    callTruth *= truthAfter(route);
  }
  return { calls: plus(calls, writes), callSuccess, callTruth };
}

/** Latency over all kinds: none is quicker than the quickest. */
function together(kinds: readonly { readonly share: number; readonly calls: Latency }[]): Latency {
  return {
    fixed: Math.min(...kinds.map(({ calls }) => calls.fixed)),
    mean: kinds.reduce((total, { share, calls }) => total + share * calls.mean, 0),
  };
}

function respond(station: Station): void {
  const { container, state } = station;
  const { share, contended } = programSpeed(container, state);
  const aloneMs = 1000 * workSeconds(workOf(station), share, contended);
  const writes: Latency = { fixed: 0, mean: ioDelayMs(container) };
  const kinds = station.mix.map((kind) => ({ ...kind, ...outcomeOf(kind, writes) }));
  const asked = kinds.filter(({ share }) => share > 0);
  const calls = together(asked.length > 0 ? asked : kinds);
  station.truth = kinds.every(({ callTruth }) => callTruth === 1)
    ? 1
    : kinds.reduce((total, { share, callTruth }) => total + share * callTruth, 0);
  state.callTruth = station.truth;
  state.ownWrong = wrongByFlags(station, {});
  const success = kinds.reduce((total, { share, callSuccess }) => total + share * callSuccess, 0);
  const servers = serversOf(station);
  state.cpuLoad = utilisation(station.offered * workOf(station), programCores(station));
  const waitMs = addedByFlags(station, "delayMs");
  state.ownWaitMs = waitMs;
  state.workSeconds = workOf(station);
  state.holdMs = aloneMs + calls.mean + waitMs;
  state.calls = calls;
  state.callSuccess = success;
  state.kinds = kinds.flatMap(({ path, calls, callSuccess, callTruth }) =>
    path === undefined ? [] : [{ path, calls, callSuccess, callTruth }],
  );
  const busy = utilisation((station.offered * state.holdMs) / 1000, servers);
  state.wait = waitForServer(servers, busy, state.holdMs);
  state.backlogMs = station.served > 0 ? (1000 * state.backlog) / station.served : 0;
  state.threads = threadsOf(station);
  // One worker serves one request after the other: its queue is the wait, not the sharing of its core.
  const cpuMs = servers > 1 ? shared(aloneMs, state.cpuLoad) : aloneMs;
  const queueMs = state.wait.chance * state.wait.ms;
  station.latency = {
    fixed: state.backlogMs + aloneMs + calls.fixed,
    mean: state.backlogMs + queueMs + cpuMs + calls.mean + waitMs,
  };
  station.soundness = success * (1 - state.dropped);
  station.success = station.soundness * (1 - state.ownErrors);
}

function threadsOf({ container, offered, state }: Station): number {
  if (singleThreaded.has(container.behaviour?.runtime ?? "")) return 1;
  const inFlight = (offered * state.holdMs) / 1000 + state.backlog;
  return Math.max(1, Math.min(mostThreads, Math.ceil(inFlight)));
}

/** Cores that its requests ask for. */
export const requestDemand = (station: Station): number => station.served * workOf(station);

/** Requests in the program at once, by Little's law. */
export const requestsInside = (station: Station): number =>
  Math.min(serversOf(station), (station.served * station.latency.mean) / 1000) + station.state.backlog;
