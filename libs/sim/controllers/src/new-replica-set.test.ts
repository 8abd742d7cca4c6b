import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { newReplicaSet } from "./new-replica-set.ts";

interface Case {
  readonly deployment: KubeObject;
  readonly old: readonly KubeObject[];
  readonly revision: number;
}

testGoldens<Case>(import.meta.url, "new-replica-set", ({ deployment, old, revision }) =>
  newReplicaSet(deployment, old, revision),
);
