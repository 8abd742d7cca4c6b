import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { scaleStep } from "./replica-set-scale.ts";
import { replicaSetReport } from "./replica-set-status.ts";

interface Case {
  readonly set: KubeObject;
  readonly active: readonly KubeObject[];
  readonly refusal?: string;
}

testGoldens<Case>(import.meta.url, "replica-set-status", ({ set, active, refusal }, now) =>
  replicaSetReport(set, active, refusal, now),
);
testGoldens<Case>(import.meta.url, "replica-set-scale", ({ set, active }) => {
  const { create, remove } = scaleStep(set, active);
  return { create, remove: remove.map((pod) => pod.metadata.name) };
});
