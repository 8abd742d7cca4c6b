import { silentLogger } from "@microremed/core";
import { CaseRequest, createGym, type Gym, openPlaybookSandbox, startRealPlaybooks } from "@microremed/gym";
import { builtInCatalogue } from "@microremed/registry";
import type { Benchmark, Row } from "./benchmark.ts";
import { median } from "./median.ts";

const environment = "online-boutique";
const fault = "pod-fail";
const rounds = 10;

const line = "kubectl delete podchaos --all";
const playbook = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.shell: ${line}
`;

/** Repairs of one case, one after the other, in one thread: what a worker of the gym does. */
export const gym: Benchmark = {
  name: "gym",
  description: `rollouts of ${fault} on ${environment} in one worker of the gym, by commands, by interpreted playbooks and by ansible-playbook`,
  run: async () => {
    const catalogue = await builtInCatalogue();
    const rows: Row[] = [];
    for (const soakSeconds of [0, 600]) {
      await using one = createGym({ catalogue, environment, soakSeconds });
      for (const acting of ["commands", "playbook"] as const)
        rows.push(...(await measure(one, acting, `${acting}, soak ${soakSeconds} s`, cpu)));
    }
    await using playbooks = startRealPlaybooks(await openPlaybookSandbox(silentLogger), silentLogger);
    await using real = createGym({ catalogue, environment, soakSeconds: 0, playbooks });
    // Ansible's processes are no children of this one: their CPU is not known here.
    rows.push(...(await measure(real, "playbook", "ansible-playbook, soak 0 s", wall)));
    const { rss } = process.memoryUsage();
    return [...rows, { what: "memory of the process at the end", value: rss / 1e6, unit: "MB" }];
  },
};

async function measure(
  one: Gym,
  acting: CaseRequest["acting"],
  how: string,
  stopwatch: Stopwatch,
): Promise<readonly Row[]> {
  const request = CaseRequest.parse({ fault, acting });
  const first = stopwatch();
  await one.reset("first", request);
  const started = first();
  one.close("first");
  const resets: number[] = [];
  const acts: number[] = [];
  const rollouts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const id = `round-${round}`;
    const rollout = stopwatch();
    const reset = stopwatch();
    await one.reset(id, request);
    resets.push(reset() * 1000);
    const act = stopwatch();
    if (acting === "commands") await one.step(id, { tool: "exec_shell", arguments: { command: line } });
    acts.push(act() * 1000);
    const last =
      acting === "commands"
        ? await one.step(id, { tool: "submit", arguments: {} })
        : await one.step(id, { tool: "print_playbook", arguments: { playbook } });
    if (!((last.reward ?? 0) > 0.5)) throw new Error(`${how}: the repair earned ${last.reward}`);
    one.close(id);
    rollouts.push(rollout());
  }
  const of = (what: string): string => `${how}: ${what}, ${stopwatch === cpu ? "CPU" : "wall"}`;
  return [
    { what: of("first reset, injection included"), value: started, unit: "s" },
    { what: of("each further reset"), value: median(resets), unit: "ms" },
    ...(acting === "commands" ? [{ what: of("the command"), value: median(acts), unit: "ms" }] : []),
    { what: of("a rollout, verdict included"), value: median(rollouts) * 1000, unit: "ms" },
    {
      what: `${how}: rollouts for each second of one ${stopwatch === cpu ? "core" : "worker"}`,
      value: 1 / median(rollouts),
      unit: "/s",
    },
  ];
}

type Stopwatch = () => () => number;

/** Seconds since it was called. */
const wall: Stopwatch = () => {
  const before = performance.now();
  return () => (performance.now() - before) / 1000;
};

/** Seconds of this process's CPU since it was called. */
const cpu: Stopwatch = () => {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
};
