import { terminal } from "@microremed/core";
import type { Environment } from "./environment.types.ts";
import type { CallSpec } from "./format.ts";
import type { Expected, LoadSpec } from "./load-format.ts";
import { workloadAtEntry } from "./selectors.ts";

/** A kind of request that users send, and how many of all are of it: the shares of a load add up to 1. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  /** Of a POST, as a form sends it. */
  readonly body?: string | undefined;
  /** What a right answer is; absent: any without an error. */
  readonly expect?: Expected | undefined;
  /** 0..1 */
  readonly share: number;
}

/** The same with shares that add up to 1. */
export function sharesOf<T extends { readonly share: number }>(given: readonly T[]): readonly T[] {
  const total = given.reduce((sum, { share }) => sum + share, 0);
  return given.map((one) => ({ ...one, share: one.share / total }));
}

/**
 * What users ask for, in the order of the file; without a mix it is one path. Of journeys each step, as often as it is asked
 * while all answers are right.
 */
export function loadRequests({ requests, journeys, path }: LoadSpec): readonly LoadRequest[] {
  const steps = journeys?.flatMap(({ share, steps }) =>
    steps.map(({ thinkSeconds: _, ...request }) => ({ ...request, share })),
  );
  return sharesOf(steps ?? requests ?? [{ method: "GET" as const, path: path ?? "/", share: 1 }]);
}

/**
 * A system's load, or a further one of its own by its name, which asks for the same if it does not say for what. Throws `invalid-request` (terminal) for a name that
 * it has not.
 */
export function namedLoad(load: LoadSpec, name: string | undefined): LoadSpec {
  if (name === undefined) return load;
  const { entry, from, loads, requests, path, journeys } = load;
  const course = loads && Object.hasOwn(loads, name) ? loads[name] : undefined;
  if (!course)
    throw terminal(
      "invalid-request",
      `the environment has no load "${name}"; it has ${Object.keys(loads ?? {}).join(", ") || "none by a name"}`,
    );
  const says = course.requests !== undefined || course.journeys !== undefined || course.path !== undefined;
  const own = {
    ...(requests && { requests }),
    ...(path !== undefined && { path }),
    // A recorded load has no journeys.
    ...(journeys && !course.replay && { journeys }),
  };
  return { entry, ...(from !== undefined && { from }), ...(!says && own), ...course };
}

/** Every load of a system: its own, then those with a name. */
export const allLoads = (load: LoadSpec): readonly LoadSpec[] => [
  load,
  ...Object.keys(load.loads ?? {}).map((name) => namedLoad(load, name)),
];

/** A path without its query. */
export const barePath = (path: string): string => path.split("?")[0] ?? path;

/** Whether a program makes a call for its own requests of a path. */
export const isMadeFor = ({ onPaths }: Pick<CallSpec, "onPaths">, path: string): boolean =>
  onPaths?.includes(barePath(path)) ?? true;

/** How often a workload makes a call for each request that it serves, whatever its path, on average. */
export function callsPerRequest(environment: Environment, workload: string, call: CallSpec): number {
  if (!call.onPaths || workloadAtEntry(environment) !== workload) return call.perRequest;
  const making = loadRequests(environment.load).filter(({ path }) => isMadeFor(call, path));
  return call.perRequest * making.reduce((sum, { share }) => sum + share, 0);
}

/**
 * HTTP paths that a call asks for, without queries. Where the model names none, the workload at the entry passes on what it is asked for,
 * as a proxy does; others ask for `/`. Of a call by another protocol those that the model names.
 */
export function pathsOfCall(environment: Environment, workload: string, call: CallSpec): readonly string[] {
  if (call.paths.length > 0 || call.protocol !== "http") return call.paths;
  if (workloadAtEntry(environment) !== workload) return ["/"];
  const asked = allLoads(environment.load)
    .flatMap(loadRequests)
    .map(({ path }) => barePath(path));
  return call.onPaths ?? [...new Set(asked)];
}
