import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { jobStep } from "./job-step.ts";

interface Case {
  readonly job: KubeObject;
  readonly pods: readonly KubeObject[];
}

testGoldens<Case>(import.meta.url, "job-step", ({ job, pods }, now) => {
  const { stop, start, ...step } = jobStep(job, pods, now);
  return {
    ...step,
    stop: stop.map((pod) => pod.metadata.name),
    start: start.map((index) => index ?? "a pod"),
  };
});
