import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf, recordOf, without } from "./testing/an-arena.ts";
import {
  change,
  classes,
  container,
  extra,
  healthy,
  kindsOfChange,
  metadata,
  set,
  target,
  template,
} from "./testing/judged-arena.ts";

const cronJob = (job: object): ArenaObjects => extra("batch/v1", "CronJob", { jobTemplate: job });

test.each([
  ["a ConfigMap", extra("v1", "ConfigMap"), "foreign"],
  ["a Job", extra("batch/v1", "Job"), "foreign"],
  ["a CronJob", cronJob({ spec: { template: { metadata: { labels: { app: "x" } } } } }), "foreign"],
  ["a binding of rights", extra("rbac.authorization.k8s.io/v1", "RoleBinding"), "privilege"],
  ["a CronJob with its node's processes", cronJob({ hostPID: true }), "privilege"],
  ["a privileged container", container(target, set({ securityContext: { privileged: true } })), "privilege"],
  [
    "a constraint that every node meets",
    template(target, set({ nodeSelector: { "kubernetes.io/os": "linux" } })),
    "changed",
  ],
  ["an affinity to pods", template(target, set({ affinity: { podAffinity: { x: [{}] } } })), "changed"],
  [
    "a higher limit than was asked for",
    container(target, (one) => set({ cpu: "2" })(partOf(one, "resources", "limits"))),
    "changed",
  ],
  [
    "a neighbour's readiness probe that notices failures later",
    container("frontend", (one) => set({ failureThreshold: 6 })(partOf(one, "readinessProbe"))),
    "changed",
  ],
] as [string, ArenaObjects, string][])("%s is not clean", (_, arena, is) => {
  expect(kindsOfChange(arena)).toEqual([is]);
});

test("a claim of the fault may stay where nothing mounts it, and a label that it gave to pods", () => {
  const claim = (arena = healthy): ArenaObjects => ({
    ...arena,
    objects: [
      ...arena.objects,
      ...extra("v1", "PersistentVolumeClaim").objects.slice(healthy.objects.length),
    ],
  });
  const mounted = template(
    target,
    set({ volumes: [{ name: "v", persistentVolumeClaim: { claimName: "x" } }] }),
  );
  expect(classes(claim(), { injected: claim(mounted) })).toEqual(["spent PersistentVolumeClaim/x"]);
  expect(classes(claim(mounted), { injected: claim(mounted) })).toContain(
    "unrepaired PersistentVolumeClaim/x",
  );
  const labelled = change("Deployment/frontend", (one) => {
    partOf(one, "spec", "template", "metadata", "labels")["part-of"] = "shop";
  });
  expect(classes(labelled, { injected: labelled })).toContain("spent Deployment/frontend");
});

test("a Service that was made again without its labels is not clean; one that lost them is broken", () => {
  const bare = change(`Service/${target}`, (service) => {
    partOf(service, "metadata")["labels"] = undefined;
  });
  const labelled = recordOf(metadata(`Service/${target}`, { labels: { app: target } }));
  const injected = without(healthy, `Service/${target}`);
  expect(classes(bare, { record: labelled, injected })).toEqual([`changed Service/${target}`]);
  expect(classes(bare, { record: labelled })).toEqual([`breaks Service/${target}`]);
});

test("the type of a Service that the fault deleted is not known any more, and one that leads elsewhere breaks it", () => {
  const exposed = (type: string) =>
    change(`Service/${target}`, (service) => {
      partOf(service, "spec")["type"] = type;
    });
  const record = recordOf(exposed("NodePort"));
  const judged = { record, injected: without(healthy, `Service/${target}`) };
  expect(classes(exposed("ClusterIP"), judged)).toEqual([`changed Service/${target}`]);
  expect(classes(exposed("ExternalName"), judged)).toEqual([`breaks Service/${target}`]);
  const byAgent = { record, injected: exposed("NodePort") };
  expect(classes(exposed("ClusterIP"), byAgent)).toEqual([`breaks Service/${target}`]);
});
