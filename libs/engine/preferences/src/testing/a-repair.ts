import type { ChatMessage, EpisodeDocument } from "@microremed/contracts";
import { anEpisode } from "@microremed/trajectory/testing";
import type { Candidate, Effect, Pair } from "../pair.ts";

type ActStep = Extract<EpisodeDocument["steps"][number], { kind: "act" }>;

/** A playbook of one shell task. */
export const playbookOf = (command: string, name = "Repair"): string =>
  `- name: ${name}\n  hosts: k3s_control_plane\n  tasks:\n    - name: ${name}\n      ansible.builtin.shell: ${command}\n`;

interface Given {
  readonly id: string;
  readonly playbook?: string;
  readonly recovered?: boolean;
  readonly caseId?: string;
  /** What the model was asked. */
  readonly question?: string;
}

/** An episode with one playbook; the rest is of a stored one. */
export function aRepair({
  id,
  playbook = playbookOf("kubectl delete stresschaos --all"),
  recovered = true,
  caseId = "1/0003/cpu-stress/hello-service",
  question = "Repair hello-service.",
}: Given): EpisodeDocument {
  const stored = anEpisode();
  const step = stored.steps.find((one): one is ActStep => one.kind === "act");
  if (!step?.verdict) throw new Error("the stored episode has no playbook with a verdict");
  const conversation: ChatMessage[] = [
    { role: "user", content: question },
    { role: "assistant", content: playbook, toolCalls: [] },
    { role: "user", content: "The playbook was received." },
  ];
  return {
    ...stored,
    ...{ id, caseId, conversation, outcome: recovered ? "remediated" : "not-remediated" },
    steps: [{ ...step, arguments: { playbook }, verdict: { ...step.verdict, recovered } }],
  };
}

const anEffect: Effect = {
  ...{ recovered: true, clean: true, reason: "every oracle passed", changes: [], execution: "ok" },
  ...{ requests: 100, hurt: 0, podsRestarted: 0, recoveredSeconds: 30 },
};

const aCandidate = (episode: string, effect: Partial<Effect>): Candidate => ({
  ...{ episode, model: `model-of-${episode}`, method: "SoloGen", playbook: playbookOf(`echo ${episode}`) },
  completion: [{ role: "assistant", content: episode }],
  effect: { ...anEffect, ...effect },
});

/** A pair whose sides did the same, but for what is given. */
export const aPair = (id: string, left: Partial<Effect> = {}, right: Partial<Effect> = {}): Pair => ({
  id,
  case: { id: "c", environment: "simple-micro", failure: "cpu-stress", target: "hello-service" },
  ...{ prompt: [{ role: "user", content: "Repair it." }], tools: [] },
  ...{ left: aCandidate(`${id}-1`, left), right: aCandidate(`${id}-2`, right) },
});
