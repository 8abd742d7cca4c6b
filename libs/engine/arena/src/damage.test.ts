import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { damageOf, damageOutside, departuresOf } from "./damage.ts";
import { differenceOf } from "./difference.ts";
import { normalise } from "./normalise.ts";

interface Shape {
  readonly name?: string;
  readonly replicas?: number;
  readonly limits?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

const deployment = ({
  name = "cart",
  replicas = 1,
  limits = { cpu: "200m" },
  annotations,
}: Shape = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas,
    template: {
      metadata: { labels: { app: name }, ...(annotations && { annotations }) },
      spec: { containers: [{ name: "server", resources: { limits } }] },
    },
  },
});
const chaos: KubeObject = {
  apiVersion: "chaos-mesh.org/v1alpha1",
  kind: "StressChaos",
  metadata: { name: "cpu-stress" },
  spec: {},
};
const record = [deployment(), deployment({ name: "shop" })].map(normalise);
const compare = (...objects: KubeObject[]) => differenceOf(record, objects);
const shop = deployment({ name: "shop" });

/** What the remedy left, when `injected` is how the arena was right after the injection. */
function damage(left: KubeObject[], injected: KubeObject[] = [deployment(), shop, chaos]) {
  return damageOf(compare(...left), departuresOf(compare(...injected)), "cart").changes;
}

test("a removed fault, and one that still stands, leave no damage", () => {
  expect(damage([deployment(), shop])).toEqual([]);
  expect(damage([deployment(), shop, chaos])).toEqual([]);
  expect(damage([deployment(), shop, { ...chaos, spec: { mode: "all" } }])).toEqual([]);
});

test("names dropped limits, changed replicas, additions and removals", () => {
  expect(damage([deployment({ limits: {}, replicas: 0 }), shop])).toEqual([
    {
      where: "target",
      what: "changed",
      object: "Deployment/cart",
      detail:
        "spec.replicas: 1 -> 0; spec.template.spec.containers.server.resources.limits.cpu: 200m -> none",
    },
  ]);
  const hpa: KubeObject = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "cart" },
  };
  expect(damage([deployment(), hpa]).map(({ where, what, object }) => [where, what, object])).toEqual([
    ["arena", "added", "HorizontalPodAutoscaler/cart"],
    ["arena", "removed", "Deployment/shop"],
  ]);
});

test("a misconfiguration that the fault made is damage only when the remedy changes it further", () => {
  const wrong = deployment({ limits: { cpu: "2m" } });
  expect(damage([wrong, shop], [wrong, shop])).toEqual([]);
  expect(damage([deployment({ limits: { cpu: "1" } }), shop], [wrong, shop])).toMatchObject([
    { detail: "spec.template.spec.containers.server.resources.limits.cpu: 200m -> 1" },
  ]);
});

test("the mark of a rollout restart is no damage", () => {
  const annotations = { "kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z" };
  expect(damage([deployment({ annotations }), shop])).toEqual([]);
});

test("reports what changed outside of the arena", () => {
  expect(damageOutside({ "Node/a": "1", "Node/b": "1" }, { "Node/a": "2", "Namespace/x": "1" })).toEqual([
    { where: "cluster", what: "changed", object: "Node/a", detail: "" },
    { where: "cluster", what: "removed", object: "Node/b", detail: "" },
    { where: "cluster", what: "added", object: "Namespace/x", detail: "" },
  ]);
});
