import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf, withObject } from "./testing/an-arena.ts";
import {
  around,
  change,
  chaos,
  classes,
  extra,
  healthy,
  metadata,
  stress,
  target,
} from "./testing/judged-arena.ts";

const webhook = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingWebhookConfiguration",
  metadata: { name: "w" },
};
const strangeAddresses = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "frozen", labels: { "kubernetes.io/service-name": target } },
  endpoints: [{ addresses: ["10.9.9.9"] }],
};
const ofAnotherProxy = { "service.kubernetes.io/service-proxy-name": "other" };
const ofNoSchedule = [{ kind: "Schedule", name: "y", uid: "z", controller: true }];

test.each([
  ["the fault made weaker", withObject(healthy, chaos("cpu-stress", { stressors: { cpu: { load: 4 } } }))],
  [
    "the fault paused",
    metadata(
      "StressChaos/cpu-stress",
      { annotations: { "experiment.chaos-mesh.org/pause": "true" } },
      stress,
    ),
  ],
  ["the fault made again", metadata("StressChaos/cpu-stress", { uid: "another" }, stress)],
  ["the fault under another name", withObject(healthy, chaos("other", { stressors: { cpu: { load: 80 } } }))],
  ["a fault of another kind", withObject(healthy, chaos("x", {}, "TimeChaos"))],
  ["a schedule of faults", withObject(healthy, chaos("x", { schedule: "@every 10m" }, "Schedule"))],
  [
    "a fault disguised as a schedule's",
    withObject(healthy, { ...chaos("x"), metadata: { name: "x", ownerReferences: ofNoSchedule } }),
  ],
  ["a network policy", extra("networking.k8s.io/v1", "NetworkPolicy")],
  ["an autoscaler", extra("autoscaling/v2", "HorizontalPodAutoscaler")],
  ["a quota", around({ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" } })],
  ["a webhook", around(webhook)],
  [
    "an ephemeral container",
    change("Pod/cartservice", (pod) => {
      partOf(pod, "spec")["ephemeralContainers"] = [{ name: "debug" }];
    }),
  ],
  ["a Service for another proxy", metadata(`Service/${target}`, { labels: ofAnotherProxy })],
  ["addresses of a Service that are no pods of it", around(strangeAddresses)],
  ["a Service with others' addresses", extra("v1", "Service", { externalIPs: ["10.0.0.1"] })],
] as [string, ArenaObjects][])("%s acts on the arena", (_, arena) => {
  expect(classes(arena)).toContainEqual(expect.stringMatching(/^acts /));
});
