import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { fittingVolume, provisionedVolume } from "./claim-volumes.ts";

interface Fit {
  readonly claim: KubeObject;
  readonly volumes: readonly KubeObject[];
}

interface Provision {
  readonly claim: KubeObject;
  readonly storageClass: KubeObject;
}

testGoldens<Fit>(
  import.meta.url,
  "fitting-volume",
  ({ claim, volumes }) => fittingVolume(claim, volumes)?.metadata,
);
testGoldens<Provision>(import.meta.url, "provisioned-volume", ({ claim, storageClass }) =>
  provisionedVolume(claim, storageClass),
);
