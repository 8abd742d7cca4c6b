import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { endpointSliceOf, endpointsOf } from "./service-endpoints.ts";

interface Case {
  readonly service: KubeObject;
  readonly pods: readonly KubeObject[];
}

testGoldens<Case>(import.meta.url, "endpoints", ({ service, pods }) => endpointsOf(service, pods));
testGoldens<Case>(import.meta.url, "endpoint-slice", ({ service, pods }) =>
  endpointSliceOf(service, pods, `${service.metadata.name}-abcde`),
);
