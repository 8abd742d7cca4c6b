import type { Cluster, Kind } from "@microremed/cluster";
import { expect, test } from "vitest";
import { runShell } from "../run-shell.ts";

const node = { metadata: { name: "node-1" }, status: { allocatable: { cpu: "16", memory: "64Gi" } } };
const measured = { metadata: { name: "node-1" }, usage: { cpu: "15900100200n", memory: "2097152Ki" } };

function topOf(lists: Readonly<Record<string, readonly object[]>>, command: string) {
  const clock = { now: async () => 0, sleep: async () => {} };
  const list = async ({ kind }: Kind) => lists[kind] ?? [];
  const cluster = { name: "c", clock, list } as unknown as Cluster;
  return runShell({ script: command, cluster, namespace: "shop", endsAt: 5000 });
}

test("top nodes has what is used of each node, and its share of what pods may have", async () => {
  const lists = { Node: [node], NodeMetrics: [measured] };
  expect((await topOf(lists, "kubectl top nodes")).stdout).toBe(
    "NAME     CPU(cores)   CPU(%)   MEMORY(bytes)   MEMORY(%)\nnode-1   15901m       99%      2048Mi          3%\n",
  );
  expect((await topOf(lists, "kubectl top node node-1 --no-headers")).stdout).toMatch(/^node-1 +15901m/);
  expect(await topOf({}, "kubectl top nodes")).toMatchObject({ exitCode: 1 });
});
