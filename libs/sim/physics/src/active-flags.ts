import type { CallSpec, FlagEffect } from "@microremed/environments";
import { flagdState, flagValue } from "@microremed/sim-machine";
import type { Route, Station } from "./topology.ts";

/** A flag that a program asks for and that is on, or what is wrong with the program's version. */
export interface ActiveFlag {
  readonly effect: FlagEffect;
  /** As flagd has it; above 0. */
  readonly value: number;
  /** The call by which the program asks. */
  readonly asked: Pick<Route, "success">;
}

const always = { success: 1 };

type Flagged = Pick<Station, "flags">;
/** Effects whose size is one number. */
type Amount = "errors" | "delayMs" | "cpuMillisPerRequest" | "cpuMillicores";

/**
 * What is wrong with a program: with the version that its image is, by variables that it was started with, and by the flags that
 * are on for it.
 */
export function activeFlags(program: Pick<Station, "container" | "routes">): ActiveFlag[] {
  const { behaviour, image, env } = program.container;
  const version = behaviour?.versions?.[image];
  const switches = Object.entries(behaviour?.switches ?? {});
  const effects = [
    ...(version ? [version] : []),
    ...switches.flatMap(([variable, effect]) => (env[variable] === "true" ? [effect] : [])),
  ];
  const own = effects.map((effect) => ({ effect, value: 1, asked: always }));
  return behaviour?.flags ? [...own, ...flagsThatAreOn(program, behaviour.flags)] : own;
}

/** The flags that are on for a program, by what the flagd that it calls has read. */
function flagsThatAreOn(
  { routes }: Pick<Station, "routes">,
  flags: Readonly<Record<string, FlagEffect>>,
): ActiveFlag[] {
  const effects = Object.entries(flags);
  const servers = routes.flatMap((asked) =>
    asked.targets.flatMap(({ sandbox, station }) =>
      station?.container.behaviour?.runtime === "flagd"
        ? [{ asked, flags: flagdState(sandbox, station.container) }]
        : [],
    ),
  );
  return effects.flatMap(([name, effect]) => {
    const values = servers.map(({ flags }) => flagValue(flags, name));
    const value = values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
    const [server] = servers;
    return server && value > 0 ? [{ effect, value, asked: server.asked }] : [];
  });
}

/** A flag's value as the program gets it: what flagd does not answer is off. */
const strength = ({ value, asked }: ActiveFlag): number => value * asked.success;

/** What all flags that are on come to together: core-milliseconds, milliseconds or millicores. */
export function addedByFlags({ flags }: Flagged, what: Exclude<Amount, "errors">): number {
  let sum = 0;
  for (const flag of flags) sum += (flag.effect[what] ?? 0) * strength(flag);
  return sum;
}

const isHit = ({ effect }: ActiveFlag, operation: string | undefined): boolean =>
  effect.operation === undefined || effect.operation === operation;

/** Share of a call's requests that end in an error because a flag of the program called is on, 0..1. */
export const errorsByFlags = (program: Flagged, call: Pick<CallSpec, "operation">): number =>
  shareByFlags(program, call, "errors");

/** Share of a call's answers without an error that are wrong because a flag of the program called is on, 0..1. */
export const wrongByFlags = (program: Flagged, call: Pick<CallSpec, "operation">): number =>
  shareByFlags(program, call, "wrong");

function shareByFlags(
  { flags }: Flagged,
  { operation }: Pick<CallSpec, "operation">,
  what: "errors" | "wrong",
): number {
  let whole = 1;
  for (const flag of flags)
    if (isHit(flag, operation)) whole *= 1 - Math.min(1, (flag.effect[what] ?? 0) * strength(flag));
  return 1 - whole;
}

/** What a program says of the errors that a flag makes of a call's requests; undefined: there are none. */
export const errorByFlags = (
  { flags }: Flagged,
  { operation }: Pick<CallSpec, "operation">,
): string | undefined => flags.find((flag) => flag.effect.errors && isHit(flag, operation))?.effect.says;

/** What the flags of a program make of a call that it makes. */
export interface ChangedCall {
  /** Share that goes to an address at which nothing is, 0..1. */
  readonly astray: number;
  /** Wait before it, ms. */
  readonly delayMs: number;
  /** How many it becomes, for which the caller does not wait. */
  readonly times: number;
}

const unchanged: ChangedCall = { astray: 0, delayMs: 0, times: 1 };

/** `flags`: of the program that makes the call. */
export function changedByFlags({ flags, call }: Pick<Route, "flags" | "call">): ChangedCall {
  if (flags.length === 0) return unchanged;
  let whole = 1;
  let delayMs = 0;
  let times = 1;
  for (const flag of flags)
    for (const change of flag.effect.calls) {
      if (change.to !== call.to) continue;
      whole *= 1 - Math.min(1, (change.errors ?? 0) * strength(flag));
      delayMs += (change.delayMs ?? 0) * strength(flag);
      times += (change.more ?? 0) * strength(flag);
    }
  return { astray: 1 - whole, delayMs, times };
}

/** The leak of connections that flags make of a call; undefined: none. */
export function leakByFlags({
  flags,
  call,
}: Pick<Route, "flags" | "call">): { size: number; share: number } | undefined {
  for (const flag of flags)
    for (const { to, leak } of flag.effect.calls)
      if (leak && to === call.to) return { size: leak.pool, share: Math.min(1, leak.share * strength(flag)) };
  return undefined;
}

/** Whether a flag makes a program say that it does not serve. */
export const isUnwell = ({ flags }: Flagged): boolean =>
  flags.some((flag) => flag.effect.unready && strength(flag) >= 0.5);

/** Further requests per second of a load generator, by path. */
export function floodOf({ flags }: Flagged): ReadonlyMap<string, number> {
  const flood = new Map<string, number>();
  for (const flag of flags)
    for (const { path, perSecond } of flag.effect.requests)
      flood.set(path, (flood.get(path) ?? 0) + perSecond * strength(flag));
  return flood;
}

/** Memory that a program has piled up after so many seconds more, MiB. */
export function grownMemory(
  { flags, served, container }: Pick<Station, "flags" | "served" | "container">,
  grownMi: number,
  seconds: number,
): number {
  let grown = grownMi + (served * seconds * keptKib(container)) / 1024;
  for (const flag of flags) {
    const { memoryGrowth } = flag.effect;
    const requests = served * strength(flag) * seconds;
    if (memoryGrowth && requests > 0)
      grown = Math.max(grown, memoryGrowth.fromMi) * Math.exp(memoryGrowth.perRequest * requests);
  }
  return Math.min(grown, mostMi);
}

/** What a program keeps of each request, by its variable, KiB. */
function keptKib({ behaviour, env }: Pick<Station["container"], "behaviour" | "env">): number {
  const kib = Number(behaviour?.keeps === undefined ? 0 : env[behaviour.keeps]);
  return Number.isFinite(kib) && kib > 0 ? kib : 0;
}

/** No node has more: growth stops being a number otherwise. */
const mostMi = 2 ** 24;
