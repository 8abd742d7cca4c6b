import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { k8sRoot } from "./places.ts";
import type { PodSpec } from "./pods/pod.types.ts";
import { renderOverlay } from "./render-overlay.ts";

interface Workload {
  readonly replicas?: number;
  readonly strategy?: { readonly type?: string };
  readonly template: { readonly spec: PodSpec };
}

/** A node of two cores, without what kubeadm, CNI and metrics-server ask for on it: some 400m. */
const leftForUs = 2000 - 400;
/** The documented walk-through scales them. */
const remediators = 4;

const milli = (quantity = "0"): number =>
  quantity.endsWith("m") ? Number(quantity.slice(0, -1)) : Number(quantity) * 1000;

/** As the scheduler counts: containers together, or the largest init container. */
function cpuOf({ containers, initContainers = [] }: PodSpec): number {
  const asked = (list: PodSpec["containers"]): number[] =>
    list.map(({ resources }) => milli(resources?.requests?.["cpu"]));
  return Math.max(
    ...asked(initContainers),
    asked(containers).reduce((sum, one) => sum + one, 0),
  );
}

/** Pods that exist at once while every Deployment is rolled out: each has one more, unless it is recreated. */
function podsOf({ kind, metadata, spec }: KubeObject): number {
  const { replicas = 1, strategy } = spec as unknown as Workload;
  const most = metadata.name === "remediator" ? remediators : replicas;
  return kind === "Deployment" && strategy?.type !== "Recreate" ? most + 1 : most;
}

test("dev fits a node of two cores beside the cluster itself, scaled and in the middle of a rolling update", async () => {
  const workloads = (await renderOverlay(join(k8sRoot, "overlays/dev"))).filter(({ kind }) =>
    ["Deployment", "StatefulSet", "Job"].includes(kind ?? ""),
  );
  const asked = workloads.map((one) => {
    const { template } = one.spec as unknown as Workload;
    return { name: one.metadata.name, cpu: podsOf(one) * cpuOf(template.spec) };
  });
  expect(asked.every(({ cpu }) => cpu > 0)).toBe(true);
  const sum = asked.reduce((all, { cpu }) => all + cpu, 0);
  expect(sum, JSON.stringify(asked)).toBeLessThanOrEqual(leftForUs);
});
