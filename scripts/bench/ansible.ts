import { readFile } from "node:fs/promises";
import { runPlaybook, startWarmRunner, type WarmRunner } from "@microremed/ansible/sandboxed";
import { silentLogger } from "@microremed/core";
import { openSandbox } from "@microremed/sandbox";
import { startSimCluster } from "@microremed/simcluster";
import type { Benchmark, Row } from "./benchmark.ts";
import { median } from "./median.ts";

const rounds = 3;
const info = "kubernetes.core.k8s_info: {kind: Namespace, name: default}";
const parallelPlays = 20;
const atATime = 4;
const timeoutMs = 120_000;

export const ansible: Benchmark = {
  name: "ansible",
  description: "playbooks by the warm runner against the plain command, both in the sandbox",
  run: async () => {
    const log = silentLogger;
    await using cluster = await startSimCluster({ name: "bench", seed: 1, timeScale: 1, environments: [] });
    const sandbox = await openSandbox({ name: "bubblewrap", searchPath: process.env["PATH"] ?? "", log });
    await using warm = startWarmRunner({ log, sandbox });
    if (!(await warm.ready)) return [{ what: "no warm runner on this machine", value: 0, unit: "" }];
    const { kubeconfig } = cluster;
    const play = async (tasks: readonly string[], runner: WarmRunner | undefined): Promise<void> => {
      const playbook = `- hosts: k3s_control_plane\n  gather_facts: false\n  tasks:\n${tasks.map((task) => `    - ${task}\n`).join("")}`;
      const run = { playbook, kubeconfig, timeoutMs, log, sandbox, warm: runner };
      const { status, output } = await runPlaybook(run);
      if (status !== "ok") throw new Error(`the playbook failed:\n${output}`);
    };
    const rows: Row[] = [];
    for (const [what, tasks] of [
      ["one debug", ["debug: {msg: hi}"]],
      ["one shell", ["shell: echo hi"]],
      ["one k8s_info", [info]],
      ["five k8s_info", Array<string>(5).fill(info)],
    ] as const) {
      rows.push(...(await compare(what, rounds, (runner) => play(tasks, runner), warm)));
    }
    const plays = `${parallelPlays} plays of one k8s_info, ${atATime} at a time`;
    rows.push(...(await compare(plays, 1, (runner) => inParallel(() => play([info], runner)), warm)));
    rows.push(await memory(warm));
    return rows;
  },
};

/** Medians of interleaved rounds. */
async function compare(
  what: string,
  count: number,
  run: (runner: WarmRunner | undefined) => Promise<void>,
  warm: WarmRunner,
): Promise<Row[]> {
  const times: Record<"plain" | "warm", number[]> = { plain: [], warm: [] };
  for (let round = 0; round < count; round++) {
    for (const [kind, runner] of [["plain", undefined] as const, ["warm", warm] as const]) {
      const startedAt = performance.now();
      await run(runner);
      times[kind].push((performance.now() - startedAt) / 1000);
    }
  }
  const [plain, fast] = [median(times.plain), median(times.warm)];
  return [
    { what: `${what}: plain`, value: plain, unit: "s" },
    { what: `${what}: warm`, value: fast, unit: "s" },
    { what: `${what}: ratio plain / warm`, value: plain / fast, unit: "" },
  ];
}

async function inParallel(play: () => Promise<void>): Promise<void> {
  let left = parallelPlays;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await play();
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

async function memory({ pid }: WarmRunner): Promise<Row> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { what: "memory of the warm runner, at rest", value: kib / 1024, unit: "MiB" };
}
