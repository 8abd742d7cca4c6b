import type { Environment } from "./environment.types.ts";
import type { CallSpec, LoadSpec } from "./format.ts";
import { workloadAtEntry } from "./selectors.ts";

/** A kind of request that users send, and how many of all are of it: the shares of a load add up to 1. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  /** Of a POST, as a form sends it. */
  readonly body?: string | undefined;
  /** 0..1 */
  readonly share: number;
}

/** What users ask for, in the order of the file; without a mix it is one path. */
export function loadRequests({ requests, path }: LoadSpec): readonly LoadRequest[] {
  const given = requests ?? [{ method: "GET" as const, path, share: 1 }];
  const total = given.reduce((sum, { share }) => sum + share, 0);
  return given.map((one) => ({ ...one, share: one.share / total }));
}

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
