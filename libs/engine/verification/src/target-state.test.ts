import { aPod, aTarget, containersWith } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { hasStuckPod, isStarting } from "./target-state.ts";

test.each(["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CreateContainerConfigError"])(
  "a pod that waits with %s does not start by itself, so that nothing is waited for",
  (waiting) => {
    const stuck = aTarget({ pods: [aPod({ ready: false, waiting })] });
    expect(isStarting(stuck)).toBe(false);
    expect(hasStuckPod(stuck)).toBe(true);
  },
);

test("a pod that is being created, or whose probe has not passed yet, is starting", () => {
  for (const waiting of [undefined, "ContainerCreating", "PodInitializing"]) {
    const starting = aTarget({ pods: [aPod({ ready: false, ...(waiting && { waiting }) })] });
    expect(isStarting(starting)).toBe(true);
    expect(hasStuckPod(starting)).toBe(false);
  }
  const old = aPod({ ready: false, waiting: "ErrImagePull", terminating: true });
  expect(hasStuckPod(aTarget({ pods: [old] }))).toBe(false);
  const other = aPod({ ready: false, containers: containersWith({ image: "pause" }) });
  expect(isStarting(aTarget({ pods: [other] }))).toBe(false);
});
