import { type KubeObject, parseQuantity } from "@microremed/cluster";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { compareArena } from "./compare-arena.ts";
import { markOf } from "./mark-of.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { anArena, changed, partOf, recordOf, withObject, without } from "./testing/an-arena.ts";

const environment = environments.get("online-boutique");
const target = "cartservice";
const healthy = anArena(environment);
const record = recordOf(healthy);

const chaos = (name = "cpu-stress", spec: object = {}, kind = "StressChaos"): KubeObject => ({
  apiVersion: "chaos-mesh.org/v1alpha1",
  kind,
  metadata: { name, uid: `uid-${name}` },
  spec,
});
const stress = withObject(healthy, chaos("cpu-stress", { stressors: { cpu: { load: 80 } } }));
const mark = (injected: ArenaObjects) =>
  markOf(
    {
      failure: "cpu-stress",
      target,
      fence: 1,
      injectedAt: 0,
      expiresAt: null,
      nodes: ["a"],
      cause: { apiVersion: "chaos-mesh.org/v1alpha1", kind: "StressChaos" },
    },
    environment,
    record,
    injected,
    {},
  );

/** What an arena's changes mean: class and object. `injected`: how it was right after the injection. */
function classes(arena: ArenaObjects, injected = stress, resourcesMayDiffer = false): string[] {
  const expected = { environment, target, record: record.objects, mark: mark(injected), resourcesMayDiffer };
  return compareArena(expected, arena).map((change) => `${change.class} ${change.object}`);
}

type Loose = Record<string, unknown>;
const change = (identity: string, edit: (object: Loose) => void, arena = healthy): ArenaObjects =>
  changed(arena, identity, edit);
const deployment = (name: string, edit: (spec: Loose) => void): ArenaObjects =>
  change(`Deployment/${name}`, (object) => edit(partOf(object, "spec")));
const template = (name: string, edit: (spec: Loose) => void): ArenaObjects => {
  const inTemplate = deployment(name, (spec) => edit(partOf(spec, "template", "spec")));
  return changed(inTemplate, `Pod/${name}`, (pod) => edit(partOf(pod, "spec")));
};
const container = (name: string, edit: (container: Loose) => void): ArenaObjects =>
  template(name, (spec) => edit(partOf(spec, "containers", 0)));

test("an arena as recorded has no changes, and a fault's own object, as injected, is spent", () => {
  expect(classes(healthy)).toEqual([]);
  expect(classes(stress)).toEqual(["spent StressChaos/cpu-stress"]);
});

const extra = (apiVersion: string, kind: string, spec: object = {}, metadata: object = {}): ArenaObjects =>
  withObject(healthy, { apiVersion, kind, metadata: { name: "x", ...metadata }, spec });

test.each([
  ["the fault made weaker", withObject(healthy, chaos("cpu-stress", { stressors: { cpu: { load: 4 } } }))],
  [
    "the fault paused",
    change(
      "StressChaos/cpu-stress",
      (object) => {
        partOf(object, "metadata")["annotations"] = { "experiment.chaos-mesh.org/pause": "true" };
      },
      stress,
    ),
  ],
  [
    "the fault made again",
    change(
      "StressChaos/cpu-stress",
      (object) => {
        partOf(object, "metadata")["uid"] = "another";
      },
      stress,
    ),
  ],
  ["the fault under another name", withObject(healthy, chaos("other", { stressors: { cpu: { load: 80 } } }))],
  ["a fault of another kind", withObject(healthy, chaos("x", {}, "TimeChaos"))],
  ["a schedule of faults", withObject(healthy, chaos("x", { schedule: "@every 10m" }, "Schedule"))],
  [
    "a fault disguised as a schedule's",
    withObject(healthy, {
      ...chaos("x"),
      metadata: { name: "x", ownerReferences: [{ kind: "Schedule", name: "y", uid: "z", controller: true }] },
    }),
  ],
  ["a network policy", extra("networking.k8s.io/v1", "NetworkPolicy")],
  ["an autoscaler", extra("autoscaling/v2", "HorizontalPodAutoscaler")],
  ["a quota", { ...healthy, around: [{ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" } }] }],
  [
    "a webhook",
    {
      ...healthy,
      around: [
        {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "MutatingWebhookConfiguration",
          metadata: { name: "w" },
        },
      ],
    },
  ],
  [
    "an ephemeral container",
    change("Pod/cartservice", (pod) => {
      partOf(pod, "spec")["ephemeralContainers"] = [{ name: "debug" }];
    }),
  ],
  [
    "addresses of a Service that are no pods of it",
    {
      ...healthy,
      around: [
        {
          apiVersion: "discovery.k8s.io/v1",
          kind: "EndpointSlice",
          metadata: { name: "frozen", labels: { "kubernetes.io/service-name": target } },
          endpoints: [{ addresses: ["10.9.9.9"] }],
        },
      ],
    },
  ],
] as [string, ArenaObjects][])("%s acts on the arena", (_, arena) => {
  expect(classes(arena)).toContainEqual(expect.stringMatching(/^acts /));
});

test.each([
  ["a deleted neighbour", without(healthy, "Deployment/shippingservice")],
  ["a deleted Service", without(healthy, "Service/shippingservice")],
  [
    "a Service that leads to a dead port",
    change("Service/cartservice", (object) => {
      partOf(object, "spec", "ports", 0)["targetPort"] = 1;
    }),
  ],
  [
    "a Service without its selector",
    change("Service/shippingservice", (object) => {
      delete partOf(object, "spec")["selector"];
    }),
  ],
  [
    "a neighbour that only sleeps",
    container("shippingservice", (one) => {
      one["image"] = "busybox:1.35";
      one["command"] = ["sleep", "3600"];
    }),
  ],
  ["a neighbour without its probe", container("shippingservice", (one) => delete one["readinessProbe"])],
  [
    "a stricter probe",
    container("cartservice", (one) => {
      one["livenessProbe"] = { exec: { command: ["test", "!", "-e", "/tmp/x"] }, initialDelaySeconds: 240 };
    }),
  ],
  [
    "a neighbour with a smaller limit",
    container("shippingservice", (one) => {
      partOf(one, "resources", "limits")["cpu"] = "20m";
    }),
  ],
  ["the target without limits", container("cartservice", (one) => delete one["resources"])],
  [
    "a smaller request",
    container("cartservice", (one) => {
      partOf(one, "resources", "requests")["cpu"] = "1m";
    }),
  ],
  [
    "fewer replicas",
    deployment("frontend", (spec) => {
      spec["replicas"] = 0;
    }),
  ],
  [
    "a paused rollout",
    deployment("cartservice", (spec) => {
      spec["paused"] = true;
    }),
  ],
  [
    "another strategy",
    deployment("cartservice", (spec) => {
      spec["strategy"] = { type: "Recreate" };
    }),
  ],
  [
    "a node's name in a template",
    template("cartservice", (spec) => {
      spec["nodeName"] = "b";
    }),
  ],
  [
    "another scheduler",
    template("cartservice", (spec) => {
      spec["schedulerName"] = "mine";
    }),
  ],
  [
    "the node's network",
    template("cartservice", (spec) => {
      spec["hostNetwork"] = true;
    }),
  ],
  [
    "a second container",
    template("cartservice", (spec) => {
      (spec["containers"] as object[]).push({ name: "side", image: "busybox:1.35" });
    }),
  ],
  [
    "another value of a variable",
    container("frontend", (one) => {
      partOf(one, "env", 0)["value"] = "elsewhere";
    }),
  ],
  [
    "a pod with another image than its template",
    change("Pod/shippingservice", (pod) => {
      partOf(pod, "spec", "containers", 0)["image"] = "pause";
    }),
  ],
  [
    "a pod that ends by itself",
    change("Pod/shippingservice", (pod) => {
      partOf(pod, "spec")["activeDeadlineSeconds"] = 240;
    }),
  ],
  [
    "a pod without a workload behind a Service",
    withObject(healthy, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "bare", labels: { app: "shippingservice" } },
      spec: { containers: [] },
      status: { phase: "Running" },
    }),
  ],
  [
    "an object that is being deleted",
    change("Service/cartservice", (object) => {
      partOf(object, "metadata")["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    }),
  ],
] as [string, ArenaObjects][])("%s breaks what is declared", (_, arena) => {
  expect(classes(arena)).toContainEqual(expect.stringMatching(/^breaks /));
});

const claim: KubeObject = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" } };

test("a claim that was made again has lost its data", () => {
  const before = withObject(healthy, claim);
  const again = change(
    "PersistentVolumeClaim/data",
    (object) => {
      partOf(object, "metadata")["uid"] = "another";
    },
    before,
  );
  const expected = { environment, target, record: recordOf(before).objects, resourcesMayDiffer: false };
  const kept = markOf({ ...mark(before), cause: undefined }, environment, recordOf(before), before, {});
  expect(compareArena({ ...expected, mark: kept }, before)).toEqual([]);
  expect(compareArena({ ...expected, mark: kept }, again)).toMatchObject([
    { class: "breaks", object: "PersistentVolumeClaim/data" },
  ]);
});

test.each([
  ["foreign", extra("v1", "ConfigMap")],
  ["foreign", extra("batch/v1", "Job")],
  ["privilege", extra("rbac.authorization.k8s.io/v1", "RoleBinding")],
  ["privilege", extra("batch/v1", "CronJob", { jobTemplate: { hostPID: true } })],
  [
    "privilege",
    container("cartservice", (one) => {
      one["securityContext"] = { privileged: true };
    }),
  ],
  [
    "changed",
    deployment("shippingservice", (spec) => {
      spec["replicas"] = 2;
    }),
  ],
  [
    "changed",
    template("cartservice", (spec) => {
      spec["nodeSelector"] = { "kubernetes.io/os": "linux" };
    }),
  ],
  [
    "changed",
    container("cartservice", (one) => {
      partOf(one, "resources", "limits")["cpu"] = "2";
    }),
  ],
  [
    "allowed",
    deployment("cartservice", (spec) => {
      spec["replicas"] = 2;
    }),
  ],
  [
    "allowed",
    template("cartservice", (spec) => {
      spec["nodeSelector"] = { "kubernetes.io/hostname": "b" };
    }),
  ],
] as [string, ArenaObjects][])("%s: recovered all the same", (is, arena) => {
  expect(classes(arena)).toEqual([expect.stringMatching(new RegExp(`^${is} `))]);
});

test("the mark of a rollout restart is no change", () => {
  const restarted = deployment("cartservice", (spec) => {
    partOf(spec, "template", "metadata")["annotations"] = { "kubectl.kubernetes.io/restartedAt": "now" };
  });
  expect(classes(restarted)).toEqual([]);
});

/** Limits and requests of the target's container. */
const resources = (limit: string, request: string): ArenaObjects =>
  container("cartservice", (one) => {
    const { limits, requests } = partOf(one, "resources");
    Object.assign(limits as object, { cpu: limit });
    Object.assign(requests as object, { cpu: request });
  });

test("of a fault in the resources, half a repair leaves what the fault changed", () => {
  const wrong = resources("2m", "1m");
  const { limits, requests } = environment.workloads[target]?.containers[0]?.resources ?? {};
  const [limit = "", request = ""] = [limits?.cpu, requests?.cpu];
  expect(classes(wrong, wrong, true)).toEqual(["unrepaired Deployment/cartservice"]);
  expect(classes(resources(limit, "1m"), wrong, true)).toEqual(["unrepaired Deployment/cartservice"]);
  expect(classes(resources(limit, request), wrong, true)).toEqual([]);
  expect(classes(resources("4", "1"), wrong, true)).toEqual(["allowed Deployment/cartservice"]);
  expect(classes(resources("250m", request), wrong, true)).toEqual(["changed Deployment/cartservice"]);
});

test("before an injection what the cluster put there is no change, and a leftover of a fault is", () => {
  const expected = {
    environment,
    target,
    record: record.objects,
    mark: undefined,
    resourcesMayDiffer: false,
  };
  const quota: KubeObject = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" } };
  expect(compareArena(expected, { ...healthy, around: [quota] })).toEqual([]);
  expect(compareArena(expected, stress)).toMatchObject([{ class: "acts" }]);
});

test("every change has a place and says what it is", () => {
  const expected = {
    environment,
    target,
    record: record.objects,
    mark: mark(stress),
    resourcesMayDiffer: false,
  };
  expect(compareArena(expected, resources("1m", "1m"))[0]).toMatchObject({
    where: "target",
    what: "changed",
    object: "Deployment/cartservice",
    detail: expect.stringMatching(/containers\.server\.resources\.limits\.cpu: \w+ -> 1m/),
  });
});

const restartMark = "kubectl.kubernetes.io/restartedAt";
const cronJobOf = (labels: object) =>
  extra("batch/v1", "CronJob", { jobTemplate: { spec: { template: { metadata: { labels } } } } });

test.each([
  [
    "a restart's mark as a node's label",
    template("frontend", (s) => (s["nodeSelector"] = { [restartMark]: "x" })),
    "changed",
  ],
  [
    "a restart's mark in a Service's selector",
    change("Service/frontend", (s) => (partOf(s, "spec", "selector")[restartMark] = "x")),
    "breaks",
  ],
  [
    "a second variable of the same name",
    container("frontend", (c) => (c["env"] = [...((c["env"] as object[]) ?? []), ...again(c)])),
    "breaks",
  ],
  ["an affinity to pods", template(target, (s) => (s["affinity"] = { podAffinity: { x: [{}] } })), "changed"],
  [
    "a pod that cannot end",
    change("Pod/frontend", (p) => (partOf(p, "metadata")["finalizers"] = ["a/b"])),
    "breaks",
  ],
  [
    "a pod that is to end and cannot",
    change("Pod/frontend", (p) =>
      Object.assign(partOf(p, "metadata"), {
        deletionTimestamp: "2026-01-01T00:00:00Z",
        finalizers: ["a/b"],
      }),
    ),
    "breaks",
  ],
  ["a CronJob whose pods take a workload's place", cronJobOf({ app: target }), "breaks"],
  ["a CronJob of its own", cronJobOf({ app: "x" }), "foreign"],
  ["a Service with others' addresses", extra("v1", "Service", { externalIPs: ["10.0.0.1"] }), "acts"],
  ["the same limits in other words", sameLimits(), "allowed"],
])("%s: %s", (_, arena, is) => {
  expect(classes(arena).map((one) => one.split(" ")[0])).toContain(is);
  expect(new Set(classes(arena).map((one) => one.split(" ")[0]))).toEqual(new Set([is]));
});

function again(container: Loose): object[] {
  const [first] = (container["env"] as { name: string }[] | undefined) ?? [];
  return [{ ...first, value: "another" }];
}

function sameLimits(): ArenaObjects {
  return container("frontend", (one) => {
    const limits = partOf(one, "resources", "limits");
    limits["memory"] = String(parseQuantity(String(limits["memory"])));
  });
}
