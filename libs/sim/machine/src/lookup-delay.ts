import type { PodSandbox } from "./machine.ts";
import { clusterDns } from "./resolv-conf.ts";

/** Name servers of the Internet: they know no Service, and say so. */
const publicDns = new Set(["1.0.0.1", "1.1.1.1", "8.8.4.4", "8.8.8.8", "9.9.9.9"]);

/** Whether a name server answers, if only that there is no such name; at any other address nothing does. */
export const answers = (server: string): boolean => server === clusterDns || publicDns.has(server);

/** RES_TIMEOUT and RES_MAXRETRANS of the C library, s. */
const usualTimeout = 5;
const longestTimeout = 30;

/**
 * Time that a look-up waits for name servers that do not answer before the one that does, ms. A resolver asks them in turn, each
 * time from the first on. None for a node, an address, and a name of the hosts file.
 */
export function lookupDelayMs(from: PodSandbox | "node", host: string): number {
  if (from === "node" || !from.resolver || from.asksChaosDns) return 0;
  if (/^[\d.]+$/.test(host) || host === "localhost" || from.hosts?.addresses.has(host)) return 0;
  const { nameservers, options } = from.resolver;
  const silent = nameservers.findIndex(answers);
  if (silent <= 0) return 0;
  const given = options.map((option) => /^timeout:(\d+)$/.exec(option)?.[1]).find((one) => one !== undefined);
  return 1000 * silent * Math.min(longestTimeout, Math.max(1, Number(given ?? usualTimeout)));
}
