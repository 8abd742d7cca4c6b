import type { Cluster, Pod } from "@microremed/kube";
import { runInProber } from "./prober.ts";

export const pingCount = 40;
const intervalSeconds = 0.2;
const timeoutMs = 60_000;

/** Echo requests from the prober to one pod. Null: no such number came back. */
export interface PingReading {
  readonly pod: string;
  readonly sent: number | null;
  readonly received: number | null;
  /** Mean round trip, ms. */
  readonly rttMs: number | null;
}

/** Pings every pod, all at once. */
export function pingPods(cluster: Cluster, pods: readonly Pod[]): Promise<PingReading[]> {
  return Promise.all(
    pods.map(async ({ metadata, status }) => {
      const ip = status?.podIP;
      if (!ip) return { pod: metadata.name, sent: null, received: null, rttMs: null };
      const command = `ping -q -c ${pingCount} -i ${intervalSeconds} -W 2 ${ip}`;
      const { stdout } = await runInProber(cluster, command, timeoutMs);
      return { pod: metadata.name, ...parsePing(stdout) };
    }),
  );
}

/** Reads the summary of busybox's and iputils' ping. */
export function parsePing(output: string): Omit<PingReading, "pod"> {
  const counts = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output);
  const rtt = /(?:round-trip|rtt) min\/avg\/max[^=]*= [\d.]+\/([\d.]+)\//.exec(output);
  return {
    sent: counts ? Number(counts[1]) : null,
    received: counts ? Number(counts[2]) : null,
    rttMs: rtt ? Number(rtt[1]) : null,
  };
}
