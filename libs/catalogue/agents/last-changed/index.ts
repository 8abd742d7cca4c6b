import { defineAgent, shellPlaybook } from "@microremed/catalogue";

const change = /^\d\d:\d\d:\d\d ([a-z]+)\/([a-z0-9][a-z0-9.-]*) /m;
const withRevisions = ["deployment", "statefulset", "daemonset"];

/** What was changed last is suspected, as people do first. */
export default defineAgent({
  name: "LastChanged",
  description:
    "suspects what was changed last, rolls a workload back to its last revision, and holds that something is wrong if anything was changed: a baseline",
  tasks: ["detection", "localization", "mitigation"],
  tools: ["diff_since"],
  code: true,
  maxAttempts: (requested) => requested,
  solve: async ({ task, call, submit, act, stop, report }) => {
    const { text } = await call("diff_since", { since: "24h" });
    const [found, kind = "", name = ""] = change.exec(text) ?? [];
    if (task.name === "detection") return submit({ anomaly: found !== undefined });
    if (task.name === "localization") return submit({ objects: found === undefined ? [] : [{ kind, name }] });
    if (!withRevisions.includes(kind))
      return stop("no workload was changed last, so there is nothing to roll back");
    const command = `kubectl -n ${report.namespace} rollout undo ${kind}/${name}`;
    return act("run_playbook", { playbook: shellPlaybook(`Roll ${name} back`, [command]) });
  },
});
