import {
  type FailureReport,
  findWorkload,
  kubectl,
  restartWorkload,
  waitForRollout,
} from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import { asksForText, drawnAnswer, type Place } from "../answers.ts";
import { idlePlaybook } from "../idle-playbook.ts";
import type { Move, Policy, Situation } from "../policy.ts";
import { shellMove } from "../shell-move.ts";

type Action = (report: FailureReport) => readonly string[];

/** What people try on a service that misbehaves. Some of it repairs something, some of it breaks something. */
const actions: Readonly<Record<string, Action>> = {
  "do nothing": () => [],
  "restart the service": restartWorkload,
  "delete its pods": (report) => [`${kubectl(report)} delete pods -l app=\${workload#*/} --wait=false`],
  "scale it out": (report) => [`${kubectl(report)} scale "$workload" --replicas=2`, waitForRollout(report)],
  "scale it to nothing and back": (report) => [
    `${kubectl(report)} scale "$workload" --replicas=0`,
    `${kubectl(report)} scale "$workload" --replicas=1`,
    waitForRollout(report),
  ],
  "go back to the revision before": (report) => [
    `${kubectl(report)} rollout undo "$workload" || echo "there is none"`,
    waitForRollout(report),
  ],
  "raise its limits": (report) => [
    `${kubectl(report)} set resources "$workload" --limits=cpu=1,memory=2Gi`,
    waitForRollout(report),
  ],
  "delete all faults": (report) => [
    `${kubectl(report)} delete stresschaos,networkchaos,iochaos,podchaos --all --timeout=60s || echo "not allowed"`,
  ],
};

/**
 * One action, or one answer, drawn by the seed alone: what chance repairs, or knows. Where words are asked for it lists
 * the workloads first and draws one of them.
 */
export const random: Policy = {
  repair,
  answer({ answer, seed, report, canProbe, observations: [list] }) {
    if (canProbe && list === undefined && asksForText(answer))
      return { probe: `${kubectl(report)} get deployment,statefulset -o name` };
    return { answer: drawnAnswer(answer, createRng(seed, "random policy"), workloadsIn(list ?? "")) };
  },
};

/** The workloads of `kubectl get -o name`. */
function workloadsIn(list: string): Place[] {
  return [...list.matchAll(/^(deployment|statefulset)\.apps\/(\S+)$/gm)].map(([, kind, name = ""]) => ({
    kind: kind === "deployment" ? "Deployment" : "StatefulSet",
    name,
  }));
}

function repair({ report, seed }: Situation): Move {
  const rng = createRng(seed, "random policy");
  const name = rng.pick(Object.keys(actions));
  const script = actions[name]?.(report) ?? [];
  if (script.length === 0) return { playbook: idlePlaybook("this policy drew to do nothing") };
  const place = report.target ?? "a service that was drawn";
  return shellMove(`Drawn for ${place} - ${name}`, [anyWorkload(report, rng.int(1000)), ...script]);
}

/** The named service's workload; where none is named, one that is drawn. */
function anyWorkload(report: FailureReport, draw: number): string {
  const { namespace, target } = report;
  if (target !== undefined) return findWorkload({ namespace, target });
  const list = `${kubectl(report)} get deployment,statefulset -o name`;
  return `workload=$(${list} | awk '{ line[NR] = $0 } END { print line[${draw} % NR + 1] }')`;
}
