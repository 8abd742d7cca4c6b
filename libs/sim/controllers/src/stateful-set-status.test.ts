import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { type RevisionNames, statefulSetStatus } from "./stateful-set-status.ts";

interface Case {
  readonly set: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly names: RevisionNames;
}

testGoldens<Case>(import.meta.url, "stateful-set-status", ({ set, pods, names }, now) =>
  statefulSetStatus(set, pods, names, now),
);
