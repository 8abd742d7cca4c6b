import { type Pod, webhooksOf } from "@microremed/cluster";
import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf, withObject } from "./testing/an-arena.ts";
import {
  around,
  change,
  chaos,
  classes,
  environment,
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
const slice = (port: number) => ({
  ...strangeAddresses,
  endpoints: [{ addresses: [addressOf(target)] }],
  ports: [{ port }],
});
const addressOf = (name: string): string =>
  (healthy.objects.find(({ metadata }) => metadata.name === `${name}-0`) as Pod).status?.podIP ?? "";
/** Endpoints as a client has changed them. */
const endpoints = (subset: object) =>
  withObject(healthy, { apiVersion: "v1", kind: "Endpoints", metadata: { name: target }, subsets: [subset] });
/** A pod of a foreign DaemonSet beside an entry that users reach by port 30080 of every node. */
const onNodes = (spec: object): ArenaObjects =>
  withObject(
    change(`Service/frontend-external`, (service) => {
      (partOf(service, "spec")["ports"] as object[])[0] = { port: 80, targetPort: 8080, nodePort: 30080 };
    }),
    { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec, status: { phase: "Running" } } as never,
  );
const ports = (...some: object[]) => [{ name: "x", ports: some }];
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
  ["a Service's own addresses with another port", around(slice(9))],
  [
    "a pod with the port by which users come",
    onNodes({ containers: ports({ containerPort: 1, hostPort: 30080 }) }),
  ],
  [
    "a program before it with that port",
    onNodes({ containers: ports(), initContainers: ports({ containerPort: 1, hostPort: 30080 }) }),
  ],
  [
    "a pod in its node's network with that port",
    onNodes({ hostNetwork: true, containers: ports({ containerPort: 30080 }) }),
  ],
  ["a Service with others' addresses", extra("v1", "Service", { externalIPs: ["10.0.0.1"] })],
] as [string, ArenaObjects][])("%s acts on the arena", (_, arena) => {
  expect(classes(arena)).toContainEqual(expect.stringMatching(/^acts /));
});

test("what the fault's own Schedule makes is the fault's; what only says so, or asks for something else, acts", () => {
  const spec = { schedule: "@every 9s", type: "StressChaos", stressChaos: { mode: "one" } };
  const injected = withObject(healthy, chaos("beat", spec, "Schedule"));
  const { uid = "" } = injected.objects.at(-1)?.metadata ?? {};
  const of = [{ kind: "Schedule", name: "beat", uid, controller: true }];
  const child = (asked: object, fields: object = {}) =>
    withObject(injected, {
      ...chaos("beat-1", asked),
      metadata: { name: "beat-1", uid: "u", ownerReferences: of, ...fields },
    });
  const classesOf = (arena: ArenaObjects) =>
    classes(arena, { injected, causes: ["Schedule"] }).filter((one) => one.endsWith("beat-1"));
  expect(classesOf(child({ mode: "one", filledIn: true }))).toEqual(["spent StressChaos/beat-1"]);
  expect(classesOf(child({ mode: "all" }))).toEqual(["acts StressChaos/beat-1"]);
  expect(classesOf(child({ mode: "one" }, { ownerReferences: ofNoSchedule }))).toEqual([
    "acts StressChaos/beat-1",
  ]);
});

test("a validating webhook of the fault whose failure is ignored acts no more", () => {
  const hook = (failurePolicy: string, fields: object = {}) =>
    around({
      ...{ ...webhook, kind: "ValidatingWebhookConfiguration", webhooks: [{ name: "w", failurePolicy }] },
      metadata: { name: "w", uid: "one", ...fields },
    });
  const judged = { injected: hook("Fail") };
  expect(classes(hook("Ignore"), judged)).toEqual(["allowed ValidatingWebhookConfiguration/w"]);
  for (const still of [hook("Ignore", { uid: "another" }), hook("Fail", { labels: { a: "b" } })])
    expect(classes(still, judged)).toEqual(["acts ValidatingWebhookConfiguration/w"]);
});

test("the arena's validating webhook is unrepaired as the fault left it, also if pods came in between", () => {
  const metadata = { name: webhooksOf(healthy.namespace), uid: "one" };
  const hook = (failurePolicy: string) =>
    around({
      ...{ ...webhook, kind: "ValidatingWebhookConfiguration", metadata },
      webhooks: [{ name: "w", failurePolicy }],
    });
  const judged = { injected: hook("Fail") };
  expect(classes(hook("Fail"), judged)).toEqual([
    `unrepaired ValidatingWebhookConfiguration/${metadata.name}`,
  ]);
  expect(classes(hook("Ignore"), judged)).toEqual([
    `allowed ValidatingWebhookConfiguration/${metadata.name}`,
  ]);
});

test("webhooks of the fault that change pods are unrepaired as they are, and act no more if no pod is theirs", () => {
  const own = environment.workloads[target]?.selector;
  const rules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }];
  const hooks = (webhooks: readonly object[], uid = "one") =>
    around({
      ...{ ...webhook, metadata: { name: webhooksOf(healthy.namespace), uid } },
      webhooks: webhooks.map((one) => ({ rules, ...one })),
    });
  const [guilty, other] = [
    { name: "guilty", objectSelector: { matchLabels: own } },
    { name: "other", objectSelector: { matchLabels: { class: "none" } } },
  ];
  const judged = { injected: hooks([guilty, other]) };
  const name = `MutatingWebhookConfiguration/${webhooksOf(healthy.namespace)}`;
  expect(classes(judged.injected, judged)).toEqual([`unrepaired ${name}`]);
  const elsewhere = { ...guilty, namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "x" } } };
  const ofConfigMaps = { ...guilty, rules: [{ ...rules[0], resources: ["configmaps"] }] };
  for (const some of [[other], [], [elsewhere], [ofConfigMaps]])
    expect(classes(hooks(some), judged)).toEqual([`allowed ${name}`]);
  for (const still of [hooks([guilty]), hooks([{ name: "all" }]), hooks([other], "another")])
    expect(classes(still, judged)).toEqual([`acts ${name}`]);
  expect(classes(healthy, judged)).toEqual([]);
});

test("a pod with another port of its node is foreign, and acts on nothing", () => {
  for (const spec of [
    { containers: ports({ containerPort: 30080 }) },
    { containers: ports({ containerPort: 1, hostPort: 30081 }) },
  ])
    expect(classes(onNodes(spec))).not.toContainEqual(expect.stringMatching(/^acts /));
});

test("Endpoints of a Service with a selector route nothing: other addresses or ports in them are a change", () => {
  const right = { addresses: [{ ip: addressOf(target) }], ports: [{ port: 7070 }] };
  expect(classes(endpoints(right))).toEqual([]);
  expect(classes(endpoints({ ...right, ports: [{ port: 9 }] }))).toEqual([`changed Endpoints/${target}`]);
  expect(classes(endpoints({ ...right, addresses: [{ ip: "10.9.9.9" }] }))).toEqual([
    `changed Endpoints/${target}`,
  ]);
  expect(classes(endpoints({ notReadyAddresses: [{ ip: "10.0.0.1" }], ports: [{ port: 9 }] }))).toEqual([]);
  expect(classes(around(slice(7070)))).toEqual([]);
  const unselected = change(
    `Service/${target}`,
    (service) => {
      partOf(service, "spec")["selector"] = undefined;
    },
    endpoints({ ...right, ports: [{ port: 9 }] }),
  );
  expect(classes(unselected)).toContain(`acts Endpoints/${target}`);
});

test("a Service by whose variables the next pods find another server acts", () => {
  const named = (name: string, spec: object = { ports: [{ name: "https", port: 443 }] }): ArenaObjects =>
    withObject(healthy, { apiVersion: "v1", kind: "Service", metadata: { name }, spec });
  expect(classes(named("kubernetes"))).toEqual(["acts Service/kubernetes"]);
  expect(classes(named("frontend-service"))).toEqual(["acts Service/frontend-service"]);
  expect(classes(named("helper"))).toEqual(["foreign Service/helper"]);
  // Without an address of its own it gives no variables.
  expect(classes(named("kubernetes", { clusterIP: "None", ports: [{ port: 443 }] }))).toEqual([
    "foreign Service/kubernetes",
  ]);
});
