import { defineAgent, restartPlaybook, workloadsOf } from "@microremed/catalogue";

/** What chance achieves: every answer is drawn. */
export default defineAgent({
  name: "Random",
  description: "answers by chance: yes or no, one workload, a restart of one workload: a baseline",
  tasks: ["detection", "localization", "mitigation"],
  tools: ["probe_system"],
  code: true,
  maxAttempts: (requested) => requested,
  solve: async (context) => {
    const { task, random, submit, act, stop, report } = context;
    if (task.name === "detection") return submit({ anomaly: random.int(2) === 1 });
    const workloads = await workloadsOf(context);
    const drawn = workloads.length > 0 ? [random.pick(workloads)] : [];
    if (task.name === "localization") return submit({ objects: drawn });
    const [target] = drawn;
    return target
      ? act("run_playbook", { playbook: restartPlaybook(target, report) })
      : stop("no workload is there");
  },
});
