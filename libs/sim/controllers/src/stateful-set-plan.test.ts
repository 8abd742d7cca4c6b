import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { type SetAction, scalePlan, updatePlan } from "./stateful-set-plan.ts";

interface Case {
  readonly set: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly update: string;
}

const words = (actions: readonly SetAction[]): readonly string[] =>
  actions.map((action) => {
    if (action.do === "create") return `create ${action.ordinal}`;
    return action.do === "remove" ? `remove ${action.pod.metadata.name}` : `again in ${action.ms} ms`;
  });

testGoldens<Case>(import.meta.url, "stateful-set-plan", ({ set, pods, update }, now) => {
  const { actions, settled } = scalePlan(set, pods, now);
  return { scale: words(actions), ...(settled && { update: words(updatePlan(set, pods, update, now)) }) };
});
