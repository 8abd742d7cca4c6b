import { createRng } from "@microremed/core";
import type { NewObject } from "@microremed/sim-objects";
import { createStore } from "@microremed/sim-store";
import { expect, test } from "vitest";
import { defaultObject } from "../defaults/default-object.ts";
import { admitNew, admitWithinLimits } from "./admit-new.ts";
import { usedOf } from "./quota.ts";

const pods = { group: "", resource: "pods" };
const ref = (resource: string) => ({ group: "", resource });

function namespaceWith(kind: string, resource: string, spec: object) {
  const store = createStore({ now: () => 0, rng: createRng(1) });
  const object: NewObject = { apiVersion: "v1", kind, metadata: { name: "rule", namespace: "shop" }, spec };
  const rule = store.create(ref(resource), defaultObject(ref(resource), object));
  const create = (name: string, resources: object): NewObject => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "shop" },
      spec: { containers: [{ name: "main", image: "x", resources }] },
    };
    const full = admitNew(store, pods, defaultObject(pods, pod));
    admitWithinLimits(store, pods, full, undefined);
    return store.create(pods, full);
  };
  return { store, rule, create };
}

test("counts what pods ask for and refuses what is too much", () => {
  const hard = { pods: "3", "requests.cpu": "1", "limits.memory": "1Gi" };
  const { store, rule, create } = namespaceWith("ResourceQuota", "resourcequotas", { hard });
  create("a", { limits: { memory: "768Mi" }, requests: { cpu: "600m" } });
  expect(usedOf(store, rule)).toEqual({ pods: "1", "requests.cpu": "600m", "limits.memory": "768Mi" });
  expect(() => create("b", { limits: { memory: "512Mi", cpu: "500m" } })).toThrow(
    'pods "b" is forbidden: exceeded quota: rule, requested: limits.memory=512Mi,requests.cpu=500m, used: limits.memory=768Mi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1',
  );
  expect(() => create("c", { limits: { cpu: "1m" } })).toThrow(
    'pods "c" is forbidden: failed quota: rule: must specify limits.memory for: main',
  );
});

test("fills in limits and refuses values outside of them", () => {
  const limits = [
    { type: "Container", min: { cpu: "100m" }, max: { cpu: "800m" }, default: { cpu: "500m" } },
  ];
  const { create } = namespaceWith("LimitRange", "limitranges", { limits });
  const pod = create("a", {});
  expect(pod.spec.containers[0].resources).toEqual({ limits: { cpu: "500m" }, requests: { cpu: "500m" } });
  expect(pod.metadata.annotations).toEqual({
    "kubernetes.io/limit-ranger":
      "LimitRanger plugin set: cpu request for container main; cpu limit for container main",
  });
  expect(() => create("b", { limits: { cpu: "1" }, requests: { cpu: "50m" } })).toThrow(
    'pods "b" is forbidden: [minimum cpu usage per Container is 100m, but request is 50m, maximum cpu usage per Container is 800m, but limit is 1]',
  );
});

test("mounts the service account's token unless the pod opts out", () => {
  const { create } = namespaceWith("LimitRange", "limitranges", { limits: [] });
  const { volumes, containers } = create("a", {}).spec;
  expect(volumes).toHaveLength(1);
  expect(volumes[0].name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
  expect(containers[0].volumeMounts).toEqual([
    { name: volumes[0].name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
  ]);
});
