import { type ResourceRef, resources } from "@microremed/sim-objects";
import { describe, expect, test } from "vitest";
import { createSteppedWorld } from "../testing/stepped-world.ts";
import { aPodSpec } from "../testing/workloads.ts";

interface Refusal {
  /** What is in the pods' spec, or in the namespace, and makes them refused. */
  readonly spec?: object;
  readonly rule?: { readonly kind: string; readonly resource: string; readonly spec: object };
  /** Whether what refuses a pod knows the name that the server made for it. */
  readonly knowsName: boolean;
  readonly why: string;
}

const refusals: Readonly<Record<string, Refusal>> = {
  "a service account that does not exist": {
    spec: { serviceAccountName: "none" },
    knowsName: false,
    why: 'error looking up service account shop/none: serviceaccount "none" not found',
  },
  "a priority class that does not exist": {
    spec: { priorityClassName: "none" },
    knowsName: false,
    why: "no PriorityClass with name none was found",
  },
  "a quota": {
    rule: { kind: "ResourceQuota", resource: "resourcequotas", spec: { hard: { pods: "0" } } },
    knowsName: true,
    why: "exceeded quota: rule, requested: pods=1, used: pods=0, limited: pods=0",
  },
  "a limit range": {
    rule: {
      kind: "LimitRange",
      resource: "limitranges",
      spec: { limits: [{ type: "Container", min: { cpu: "1" } }] },
    },
    knowsName: true,
    why: "minimum cpu usage per Container is 1.  No request is specified",
  },
};

const selector = { matchLabels: { app: "web" } };
const owners: readonly (readonly [kind: string, ref: ResourceRef, apiVersion: string, spec: object])[] = [
  ["Deployment", resources.deployments, "apps/v1", { replicas: 2, selector }],
  ["ReplicaSet", resources.replicaSets, "apps/v1", { replicas: 2, selector }],
  [
    "ReplicationController",
    resources.replicationControllers,
    "v1",
    { replicas: 2, selector: { app: "web" } },
  ],
  ["DaemonSet", resources.daemonSets, "apps/v1", { selector }],
  ["StatefulSet", resources.statefulSets, "apps/v1", { replicas: 2, selector }],
  ["Job", resources.jobs, "batch/v1", {}],
];

/** How the event begins that says that a pod of `web` was refused. */
function beginning(kind: string, knowsName: boolean): string {
  if (kind === "StatefulSet") return 'create Pod web-0 in StatefulSet web failed error: pods "web-0"';
  const set = kind === "Deployment" ? "web-[a-z0-9]+-" : "web-";
  return `Error creating: pods "${set}${knowsName ? "[bcdfghjklmnpqrstvwxz2456789]{5}" : ""}"`;
}

describe.each(Object.entries(refusals))("%s refuses pods", (_, { spec = {}, rule, knowsName, why }) => {
  test.each(owners)("of a %s, which says so and comes to rest", (kind, ref, apiVersion, own) => {
    const world = createSteppedWorld();
    world.createNamespace();
    if (rule) {
      const { resource, ...rest } = rule;
      const metadata = { name: "rule", namespace: "shop" };
      world.create({ group: "", resource }, { apiVersion: "v1", metadata, ...rest });
    }
    const restarts = kind === "Job" ? { restartPolicy: "Never" } : {};
    const template = {
      metadata: { labels: { app: "web" } },
      spec: aPodSpec({ spec: { ...spec, ...restarts } }),
    };
    const metadata = { name: "web", namespace: "shop" };
    world.create(ref, { apiVersion, kind, metadata, spec: { ...own, template } });
    world.loop.advance(30_000);

    expect(world.pods()).toEqual([]);
    expect(world.events("FailedCreate")[0]?.["message"]).toMatch(
      new RegExp(`^${beginning(kind, knowsName)} is forbidden: ${why}$`),
    );
    const seen = kind === "Job" ? { startTime: expect.any(String) } : { observedGeneration: 1 };
    expect(world.get(ref, "web")?.status).toMatchObject(seen);

    const versions = () =>
      [ref, resources.replicaSets].flatMap((each) =>
        world.store.list(each, "shop").map((object) => object.metadata.resourceVersion),
      );
    const before = versions();
    world.loop.advance(30_000);
    expect(versions()).toEqual(before);
  });
});
