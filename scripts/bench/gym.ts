import { CaseRequest, createGym, type Gym } from "@microremed/gym";
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
  description: `rollouts of ${fault} on ${environment} in one worker of the gym, by commands and by interpreted playbooks`,
  run: async () => {
    const catalogue = await builtInCatalogue();
    const rows: Row[] = [];
    for (const soakSeconds of [0, 600]) {
      using one = createGym({ catalogue, environment, soakSeconds });
      for (const acting of ["commands", "playbook"] as const)
        rows.push(...(await measure(one, acting, `${acting}, soak ${soakSeconds} s`)));
    }
    const { rss } = process.memoryUsage();
    return [...rows, { what: "memory of the process at the end", value: rss / 1e6, unit: "MB" }];
  },
};

async function measure(one: Gym, acting: CaseRequest["acting"], how: string): Promise<readonly Row[]> {
  const request = CaseRequest.parse({ fault, acting });
  const first = cpu();
  await one.reset("first", request);
  const started = first();
  one.close("first");
  const resets: number[] = [];
  const acts: number[] = [];
  const rollouts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const id = `round-${round}`;
    const rollout = cpu();
    const reset = cpu();
    await one.reset(id, request);
    resets.push(reset() * 1000);
    const act = cpu();
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
  const of = (what: string): string => `${how}: ${what}`;
  return [
    { what: of("first reset, injection included, CPU"), value: started, unit: "s" },
    { what: of("each further reset, CPU"), value: median(resets), unit: "ms" },
    ...(acting === "commands" ? [{ what: of("the command, CPU"), value: median(acts), unit: "ms" }] : []),
    { what: of("a rollout, verdict included, CPU"), value: median(rollouts) * 1000, unit: "ms" },
    { what: of("rollouts for each second of one core"), value: 1 / median(rollouts), unit: "/s" },
  ];
}

/** Seconds of this process's CPU since it was called. */
function cpu(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}
