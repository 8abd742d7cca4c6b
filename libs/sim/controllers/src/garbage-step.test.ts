import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { garbageStep } from "./garbage-step.ts";

interface Case {
  readonly object: KubeObject;
  readonly known: readonly string[];
}

testGoldens<Case>(import.meta.url, "garbage-step", ({ object, known }) =>
  garbageStep(object, (uid) => known.includes(uid)),
);
