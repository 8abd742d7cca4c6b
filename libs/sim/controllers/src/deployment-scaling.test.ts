import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { proportionalSizes, type Resize, rollingSizes } from "./deployment-scaling.ts";

interface Case {
  readonly deployment: KubeObject;
  readonly current: KubeObject;
  readonly old: readonly KubeObject[];
}

const byName = (resizes: readonly Resize[]) =>
  Object.fromEntries(resizes.map(({ set, replicas }) => [set.metadata.name, replicas]));

testGoldens<Case>(import.meta.url, "rolling-sizes", ({ deployment, current, old }) =>
  byName(rollingSizes(deployment, current, old)),
);
testGoldens<Case>(import.meta.url, "proportional-sizes", ({ deployment, current, old }) =>
  byName(proportionalSizes(deployment, current, old)),
);
