import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { anArena, recordOf } from "../testing/an-arena.ts";
import { startFindings } from "./start-findings.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const labels = { app: "shop" };
const container = {
  name: "shop",
  args: ["--port=$(PORT)"],
  env: [
    { name: "ZONE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
    { name: "HOST", value: "shop.$(ZONE)" },
  ],
  envFrom: [{ secretRef: { name: "store" } }, { configMapRef: { name: "names" } }],
};
const volumes = [{ name: "conf", configMap: { name: "names" } }];
const first = [{ name: "migrate" }, { name: "warm" }];
const pod = { containers: [container], initContainers: first, volumes };

const workload = (spec: object): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "shop" },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
});
const data = (kind: string, name: string, held: object): KubeObject => ({
  ...{ apiVersion: "v1", kind, metadata: { name } },
  data: held,
});
const names = data("ConfigMap", "names", { PORT: "80" });
const store = data("Secret", "store", { STORE: base64("db") });
const record = [workload(pod), names, store];

/** What is found where the template and the other objects are these. */
const found = (spec: object, ...others: KubeObject[]): string[] =>
  startFindings(record, [workload(spec), ...others]).map(({ detail }) => detail);
const withContainer = (fields: object): object => ({ ...pod, containers: [{ ...container, ...fields }] });
const withVariable = (variable: object): object => withContainer({ env: [...container.env, variable] });

test("what starts as declared has no findings, and more variables and files are none", () => {
  expect(found(pod, names, store)).toEqual([]);
  expect(found(withVariable({ name: "MORE", value: "1" }), names, store)).toEqual([]);
  const more = data("ConfigMap", "names", { PORT: "80", MORE: "1" });
  expect(found(pod, more, store)).toEqual([]);
});

test("a key that every object inherits is in no ConfigMap and no Secret", () => {
  for (const ref of [
    { configMapKeyRef: { name: "names", key: "constructor" } },
    { secretKeyRef: { name: "store", key: "toString" } },
  ])
    expect(found(withVariable({ name: "MORE", valueFrom: ref }), names, store)).not.toEqual([]);
});

test.each(environments.names())("%s: an API server's order of fields is no difference", (name) => {
  const arena = anArena(environments.get(name));
  const turned = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(turned)
      : isJsonObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, one]) => [key, turned(one)]),
          )
        : value;
  expect(startFindings(recordOf(arena).objects, arena.objects.map(turned) as KubeObject[])).toEqual([]);
});

test("a reference to a field and a placement in another order of words are the same", () => {
  const one = { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } };
  const other = { fieldRef: { fieldPath: "metadata.name", apiVersion: "v1" } };
  const of = (valueFrom: object, placed: object[]): KubeObject =>
    workload({ ...withContainer({ env: [{ name: "NAME", valueFrom }] }), topologySpreadConstraints: placed });
  const spreads = [
    { topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: {} },
    { labelSelector: {}, whenUnsatisfiable: "DoNotSchedule", topologyKey: "zone" },
  ] as const;
  expect(startFindings([of(one, [spreads[0]])], [of(other, [spreads[1]]), another({})])).toEqual([]);
});

test("what is declared and changed or gone is found where it is compared, not here", () => {
  expect(found(pod, data("ConfigMap", "names", { PORT: "81" }), store)).toEqual([]);
  expect(found(pod)).toEqual([]);
});

test.each([
  [
    "of a ConfigMap",
    { name: "A", valueFrom: { configMapKeyRef: { name: "gone", key: "a" } } },
    "ConfigMap/gone",
  ],
  ["of a Secret", { name: "A", valueFrom: { secretKeyRef: { name: "gone", key: "a" } } }, "Secret/gone"],
  [
    "of a key",
    { name: "A", valueFrom: { configMapKeyRef: { name: "names", key: "a" } } },
    "a of ConfigMap/names",
  ],
])("a variable %s that is not there keeps the next pod from starting", (_, variable, what) => {
  expect(found(withVariable(variable), names, store)).toEqual([
    `its next pod needs ${what}, which is not there`,
  ]);
});

test("a variable that may be missing keeps no pod from starting", () => {
  const optional = { configMapKeyRef: { name: "gone", key: "a", optional: true } };
  expect(found(withVariable({ name: "A", valueFrom: optional }), names, store)).toEqual([]);
});

test.each([
  ["a ConfigMap", { configMap: { name: "gone" } }, "ConfigMap/gone"],
  ["a Secret", { secret: { secretName: "gone" } }, "Secret/gone"],
  ["a claim", { persistentVolumeClaim: { claimName: "gone" } }, "PersistentVolumeClaim/gone"],
  ["several", { projected: { sources: [{ secret: { name: "gone" } }] } }, "Secret/gone"],
])("a volume of %s that is not there keeps the next pod from starting", (_, source, what) => {
  const spec = { ...pod, volumes: [...volumes, { name: "more", ...source }] };
  expect(found(spec, names, store)).toEqual([`its next pod needs ${what}, which is not there`]);
});

test.each([
  ["in the place of a Secret's", withVariable({ name: "STORE", value: "nowhere" }), names, "STORE"],
  [
    "in the place of a Secret's, from a ConfigMap",
    pod,
    data("ConfigMap", "names", { PORT: "80", STORE: "nowhere" }),
    "STORE",
  ],
  ["after those that are made from it", withContainer({ env: container.env.toReversed() }), names, "HOST"],
])("a variable %s is another one at the next start", (_, spec, map, name) => {
  expect(found(spec, map, store)).toEqual([`container shop of its next pod gets other values of ${name}`]);
});

test("a variable that arguments name by chance changes them", () => {
  const before = [workload(withContainer({ args: ["$(LATER)"] })), names, store];
  const live = [
    workload(withContainer({ args: ["$(LATER)"], env: [...container.env, { name: "LATER", value: "1" }] })),
  ];
  expect(startFindings(before, live)).toMatchObject([
    { detail: "container shop of its next pod gets other arguments" },
  ]);
});

test("files that a volume leaves out are missing at the next start", () => {
  const spec = { ...pod, volumes: [{ name: "conf", configMap: { name: "names", items: [] } }] };
  expect(found(spec, names, store)).toEqual(["volume conf of its next pod lacks PORT"]);
});

test("containers in another order start in that order, which breaks nothing", () => {
  const two = (...order: object[]): KubeObject => workload({ ...pod, containers: order });
  const [one, other] = [container, { name: "side" }];
  const of = (now: KubeObject) =>
    startFindings([two(one, other), names, store], [now, names, store]).map((found) => [
      found.class,
      found.detail,
    ]);
  expect(of(two(one, other))).toEqual([]);
  expect(of(two({ name: "added" }, one, other))).toEqual([]);
  expect(of(two(other, one))).toEqual([["changed", "its containers start in another order: side, shop"]]);
});

test("containers that run before the program keep their order", () => {
  expect(found({ ...pod, initContainers: first.toReversed() }, names, store)).toEqual([
    "the containers before its program come in another order: warm, migrate",
  ]);
});

const apart = (matchLabels: object): object => ({
  ...pod,
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels } },
      ],
    },
  },
});
const spread = (labelSelector: object, whenUnsatisfiable: string): object => ({
  ...pod,
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable, labelSelector }],
});
const another = (of: object): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Pod" },
  metadata: { name: "another", labels: { app: "cart", ...of } },
});

test("keeping apart from pods of others depends on where these run; from its own it does not", () => {
  const closed = ["its next pod may start only where there are no pods of others"];
  expect(found(apart(labels), names, store, another({}))).toEqual([]);
  expect(found(apart({ quiet: "yes" }), names, store)).toEqual(closed);
  expect(found(spread({}, "DoNotSchedule"), names, store, another({}))).toEqual(closed);
  expect(found(spread({}, "ScheduleAnyway"), names, store, another({}))).toEqual([]);
  expect(found(spread({ matchLabels: labels }, "DoNotSchedule"), names, store, another({}))).toEqual([]);
});

const node = (name: string): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Node" },
  metadata: { name, labels: { os: "linux", name } },
});
const running = (name: string): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Pod", metadata: { name: `shop-${name}`, labels } },
  spec: { ...pod, nodeName: name },
});
const apartBy = (topologyKey: string, fields: object = {}): KubeObject => {
  const terms = [{ topologyKey, labelSelector: { matchLabels: labels } }];
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
  const made = workload({ ...pod, affinity });
  return { ...made, spec: { ...(made["spec"] as object), ...fields } };
};

test.each([
  ["by a key that all nodes share", apartBy("os"), 1],
  ["by nodes, of which there is one more", apartBy("name"), 0],
  ["by nodes, of which there are as many", apartBy("name", { replicas: 2 }), 1],
  ["by a key that no node has", apartBy("room"), 0],
  [
    "by a key that all share, and rollouts end pods first",
    apartBy("os", { strategy: { type: "Recreate" } }),
    0,
  ],
])("pods that keep apart %s", (_, now, count) => {
  const { replicas = 1 } = now["spec"] as { replicas?: number };
  const pods = ["a", "b"].slice(0, replicas).map(running);
  const nodes = ["a", "b"].map(node);
  expect(startFindings([workload(pod), names, store], [now, names, store, ...pods], nodes)).toHaveLength(
    count,
  );
});

test("where the declared workload finds no place either, as on nodes that are all cordoned, no rule of its own is at fault", () => {
  const cordoned = ["a", "b"].map((name) => ({ ...node(name), spec: { unschedulable: true } }));
  const live = [apartBy("os"), names, store, running("a")];
  expect(startFindings([workload(pod), names, store], live, cordoned)).toEqual([]);
});

test("pods of a neighbour that keep others away are found where they keep the next pod from every node", () => {
  const terms = [{ topologyKey: "os", labelSelector: { matchLabels: labels } }];
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
  const hostile: KubeObject = {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "cart-1", labels: { app: "cart" } } },
    spec: { containers: [], affinity, nodeName: "b" },
  };
  const cart: KubeObject = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "cart" } },
    spec: { selector: { matchLabels: { app: "cart" } }, template: { spec: { containers: [] } } },
  };
  const live = [workload(pod), cart, names, store, running("a"), hostile];
  const stuck = startFindings([workload(pod), cart, names, store], live, ["a", "b"].map(node));
  expect(stuck.map((one) => one.workload.metadata.name)).toEqual(["shop"]);
});
