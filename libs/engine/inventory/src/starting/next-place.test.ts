import type { KubeObject, Pod, Workload } from "@microremed/cluster";
import { expect, test } from "vitest";
import { hasPlace } from "./next-place.ts";

const labels = { app: "shop" };
const nameKey = "kubernetes.io/hostname";
const all = ["a", "b", "c"];
const node = (name: string, spec: object = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Node" },
  metadata: { name, labels: { [nameKey]: name, [`is-${name}`]: "yes", ab: name === "c" ? "no" : "yes" } },
  spec,
});

interface Rules {
  readonly nodes?: readonly KubeObject[];
  readonly spec?: object;
}

const affinityTo = (term: object): Rules => ({
  spec: {
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
    },
  },
});
/** Each leaves the nodes a and b, of three. */
const places: Record<string, Rules> = {
  selector: { spec: { nodeSelector: { ab: "yes" } } },
  "affinity by labels": affinityTo({
    matchExpressions: [{ key: nameKey, operator: "NotIn", values: ["c"] }],
  }),
  "affinity by names": affinityTo({
    matchFields: [{ key: "metadata.name", operator: "NotIn", values: ["c"] }],
  }),
  cordon: { nodes: [node("a"), node("b"), node("c", { unschedulable: true })] },
  taint: { nodes: [node("a"), node("b"), node("c", { taints: [{ key: "x", effect: "NoSchedule" }] })] },
};

const containers = [{ name: "shop", image: "shop:1" }];
/** Each lets one pod be on a node. */
const apart: Record<string, object> = {
  "anti-affinity": {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: nameKey, labelSelector: { matchLabels: labels } },
        ],
      },
    },
  },
  "a port of the node": { containers: [{ ...containers[0], ports: [{ containerPort: 80, hostPort: 80 }] }] },
  "spread with more domains than there are": {
    topologySpreadConstraints: [
      {
        ...{ maxSkew: 1, minDomains: 9, topologyKey: nameKey, whenUnsatisfiable: "DoNotSchedule" },
        labelSelector: { matchLabels: labels },
      },
    ],
  },
};

const merged = (one: object, other: object): object => {
  const [a, b] = [one, other] as { affinity?: object }[];
  return { containers, ...a, ...b, affinity: { ...a?.affinity, ...b?.affinity } };
};

function fits(place: Rules, rule: object, replicas: number, fields: object = {}): boolean {
  const spec = merged(place.spec ?? {}, rule);
  const pods = all.slice(0, replicas).map(
    (name) =>
      ({
        ...{ apiVersion: "v1", kind: "Pod", metadata: { name: `shop-${name}`, labels } },
        spec: { ...spec, nodeName: name },
        status: { phase: "Running" },
      }) as unknown as Pod,
  );
  const workload = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "shop" } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
      ...fields,
    },
  } as unknown as Workload;
  return hasPlace(workload, { nodes: place.nodes ?? all.map((name) => node(name)), pods });
}

const pairs = Object.keys(places).flatMap((place) =>
  Object.keys(apart).map((rule) => [place, rule] as const),
);

test.each(pairs)(
  "%s to two nodes together with %s leaves a place beside one pod, none beside two",
  (one, other) => {
    const [place, rule] = [places[one] ?? {}, apart[other] ?? {}];
    expect(fits(place, {}, 2)).toBe(true);
    expect(fits({}, rule, 2)).toBe(true);
    expect(fits(place, rule, 1)).toBe(true);
    expect(fits(place, rule, 2)).toBe(false);
    // A rollout that may end a pod first makes itself a place.
    expect(fits(place, rule, 2, { strategy: { type: "Recreate" } })).toBe(true);
    expect(fits(place, rule, 2, { strategy: { rollingUpdate: { maxUnavailable: 1 } } })).toBe(true);
    expect(fits(place, rule, 2, { strategy: { rollingUpdate: { maxUnavailable: "40%" } } })).toBe(false);
  },
);

test("two anti-affinities that keep apart only together are read together", () => {
  const term = (topologyKey: string) => ({ topologyKey, labelSelector: { matchLabels: labels } });
  const rule = {
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(nameKey), term("is-b")] },
    },
  };
  expect(fits(places["selector"] ?? {}, rule, 1)).toBe(true);
  expect(fits(places["selector"] ?? {}, rule, 2)).toBe(false);
});

test("pods of an earlier rollout do not count where a rule is for each rollout by itself", () => {
  const rule = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: nameKey,
            labelSelector: { matchLabels: labels },
            matchLabelKeys: ["pod-template-hash"],
          },
        ],
      },
    },
  };
  expect(fits(places["selector"] ?? {}, rule, 2)).toBe(true);
});

test("the first pod that is to be with its own kind may go anywhere; one that is to be with others may not", () => {
  const beside = (matchLabels: object): object => ({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: nameKey, labelSelector: { matchLabels } },
        ],
      },
    },
  });
  expect(fits({}, beside(labels), 0)).toBe(true);
  expect(fits({}, beside(labels), 1)).toBe(true);
  expect(fits({}, beside({ app: "gone" }), 1)).toBe(false);
});
