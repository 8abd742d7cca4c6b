import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf, recordOf, withObject, without } from "./testing/an-arena.ts";
import {
  change,
  changesOf,
  classes,
  container,
  deployment,
  extra,
  healthy,
  metadata,
  set,
  target,
  template,
} from "./testing/judged-arena.ts";

const neighbour = "shippingservice";
const cronJobOf = (labels: object): ArenaObjects =>
  extra("batch/v1", "CronJob", { jobTemplate: { spec: { template: { metadata: { labels } } } } });

const ofWorkloads: [string, ArenaObjects][] = [
  ["a deleted neighbour", without(healthy, `Deployment/${neighbour}`)],
  [
    "a neighbour that only sleeps",
    container(neighbour, set({ image: "busybox:1.35", command: ["sleep", "3600"] })),
  ],
  ["a neighbour without its probe", container(neighbour, (one) => delete one["readinessProbe"])],
  [
    "a stricter probe",
    container(
      target,
      set({ livenessProbe: { exec: { command: ["test", "!", "-e", "/tmp/x"] }, initialDelaySeconds: 240 } }),
    ),
  ],
  ["fewer replicas", deployment("frontend", set({ replicas: 0 }))],
  ["an image that a node must have already", container(neighbour, set({ imagePullPolicy: "Never" }))],
  ["a paused rollout", deployment(target, set({ paused: true }))],
  ["another strategy", deployment(target, set({ strategy: { type: "Recreate" } }))],
  [
    "a restart's mark as a label that no node has",
    template(neighbour, set({ nodeSelector: { "kubectl.kubernetes.io/restartedAt": "x" } })),
  ],
  ["a node's name in a template", template(target, set({ nodeName: "b" }))],
  ["another scheduler", template(target, set({ schedulerName: "mine" }))],
  ["the node's network", template(target, set({ hostNetwork: true }))],
  [
    "a second container",
    template(target, (spec) =>
      (spec["containers"] as object[]).push({ name: "side", image: "busybox:1.35" }),
    ),
  ],
  [
    "another value of a variable",
    container("frontend", (one) => set({ value: "elsewhere" })(partOf(one, "env", 0))),
  ],
  [
    "a second variable of the same name",
    container("frontend", (one) => {
      const [first] = one["env"] as { name: string }[];
      (one["env"] as object[]).push({ ...first, value: "another" });
    }),
  ],
];

const ofServices: [string, ArenaObjects][] = [
  ["a deleted Service", without(healthy, `Service/${neighbour}`)],
  [
    "a Service that leads to a dead port",
    change(`Service/${target}`, (object) => set({ targetPort: 1 })(partOf(object, "spec", "ports", 0))),
  ],
  [
    "a Service without its selector",
    change(`Service/${neighbour}`, (object) => delete partOf(object, "spec")["selector"]),
  ],
  [
    "a restart's mark in a Service's selector",
    change("Service/frontend", (object) =>
      set({ "kubectl.kubernetes.io/restartedAt": "x" })(partOf(object, "spec", "selector")),
    ),
  ],
  [
    "an object that is being deleted",
    metadata(`Service/${target}`, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
  ],
];

const ofPods: [string, ArenaObjects][] = [
  [
    "a pod with another image than its template",
    change(`Pod/${neighbour}`, (pod) => set({ image: "pause" })(partOf(pod, "spec", "containers", 0))),
  ],
  [
    "a pod that ends by itself",
    change(`Pod/${neighbour}`, (pod) => set({ activeDeadlineSeconds: 240 })(partOf(pod, "spec"))),
  ],
  [
    "a pod without a workload behind a Service",
    withObject(healthy, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "bare", labels: { app: neighbour } },
      spec: { containers: [] },
      status: { phase: "Running" },
    }),
  ],
  ["a pod that cannot end", metadata("Pod/frontend", { finalizers: ["a/b"] })],
  [
    "a pod that is to end and cannot",
    metadata("Pod/frontend", { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] }),
  ],
  ["a CronJob whose pods take a workload's place", cronJobOf({ app: target })],
];

test.each([...ofWorkloads, ...ofServices, ...ofPods])("%s breaks what is declared", (_, arena) => {
  expect(classes(arena)).toContainEqual(expect.stringMatching(/^breaks /));
});

test("a claim that was made again has lost its data, if it ever had a volume", () => {
  const changesIn = (phase: string) => {
    const claim: KubeObject = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data" },
      status: { phase },
    };
    const before = withObject(healthy, claim);
    const again = metadata("PersistentVolumeClaim/data", { uid: "another" }, before);
    const judged = { injected: before, record: recordOf(before) };
    expect(changesOf(before, judged)).toEqual([]);
    return changesOf(again, judged);
  };
  expect(changesIn("Bound")).toMatchObject([{ class: "breaks", object: "PersistentVolumeClaim/data" }]);
  expect(changesIn("Pending")).toEqual([]);
});
