import { type PingReading, pingCount } from "@microremed/catalogue";
import type { Cluster, Pod } from "@microremed/cluster";
import { runInProber } from "./prober.ts";

const intervalSeconds = 0.2;
const timeoutMs = 60_000;

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
