import type { KubeObject } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { gated, preempted, scheduled, unschedulable } from "./scheduling-status.ts";

testGoldens<{ readonly pod: KubeObject }>(import.meta.url, "scheduling-status", ({ pod }, now) => ({
  unschedulable: unschedulable(pod, "0/3 nodes are available", now),
  nominated: unschedulable(pod, "0/3 nodes are available", now, "n2"),
  gated: gated(pod, now),
  scheduled: scheduled(pod, now),
  preempted: preempted(pod, "default-scheduler", now),
}));
