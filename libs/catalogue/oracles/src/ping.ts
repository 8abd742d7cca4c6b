import type { Cluster, Pod } from "@microremed/cluster";
import { runInProber } from "./prober.ts";
import { smallestSample } from "./statistics/binomial.ts";

/**
 * The failure loses half of the echoes; a network that loses 1 % still counts as clean. Smallest sample with which the
 * failure passes a look with probability below 1e-6 and a clean network fails it below 1e-3: 33 echoes, 3 may be lost.
 */
export const lossPlan = smallestSample({
  badRate: 0.5,
  cleanRate: 0.01,
  mostMissed: 1e-6,
  mostFalseAlarms: 1e-3,
});
export const pingCount = lossPlan.size;
const intervalSeconds = 0.2;
const timeoutMs = 60_000;

/** Echo requests from the prober to one pod. Null: no such number came back. */
export interface PingReading {
  readonly pod: string;
  readonly sent: number | null;
  readonly received: number | null;
  /** Mean round trip, ms. */
  readonly rttMs: number | null;
  /** Round trip of each echo in the order of sending, ms; null: it did not come back. */
  readonly echoes: readonly (number | null)[];
}

/** Pings every pod, all at once. */
export function pingPods(cluster: Cluster, pods: readonly Pod[]): Promise<PingReading[]> {
  return Promise.all(
    pods.map(async ({ metadata, status }) => {
      const ip = status?.podIP;
      if (!ip) return { pod: metadata.name, ...parsePing("") };
      const command = `ping -c ${pingCount} -i ${intervalSeconds} -W 2 ${ip}`;
      const { stdout } = await runInProber(cluster, command, timeoutMs);
      return { pod: metadata.name, ...parsePing(stdout) };
    }),
  );
}

/** Reads what busybox's and iputils' ping say: the first counts echoes from 0, the second from 1. */
export function parsePing(output: string): Omit<PingReading, "pod"> {
  const counts = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output);
  const rtt = /(?:round-trip|rtt) min\/avg\/max[^=]*= [\d.]+\/([\d.]+)\//.exec(output);
  const sent = counts ? Number(counts[1]) : null;
  const echoes: (number | null)[] = Array.from({ length: Math.min(sent ?? 0, pingCount) }, () => null);
  for (const [, icmp, sequence, ms] of output.matchAll(/(icmp_)?seq=(\d+) .*time=([\d.]+) ms$/gm)) {
    const index = Number(sequence) - (icmp === undefined ? 0 : 1);
    if (index in echoes) echoes[index] = Number(ms);
  }
  return { sent, received: counts ? Number(counts[2]) : null, rttMs: rtt ? Number(rtt[1]) : null, echoes };
}
