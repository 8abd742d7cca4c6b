import { expect, test } from "vitest";
import { compareArena } from "./compare-arena.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf } from "./testing/an-arena.ts";
import {
  change,
  changesOf,
  classes,
  environment,
  healthy,
  kindsOfChange,
  type Loose,
  mark,
  metadata,
  record,
  set,
  stress,
  target,
} from "./testing/judged-arena.ts";

/** The pod of the target with its spec changed, and not its template. */
const inPod = (edit: (spec: Loose) => void, arena = healthy): ArenaObjects =>
  change(`Pod/${target}`, (pod) => edit(partOf(pod, "spec")), arena);
const inContainer = (fields: object): ArenaObjects =>
  inPod((spec) => set(fields)(partOf(spec, "containers", 0)));

const tokenMount = "/var/run/secrets/kubernetes.io/serviceaccount";
const failing = {
  ...{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  tolerationSeconds: 300,
};
const token = [{ serviceAccountToken: { path: "token" } }, { configMap: { name: "kube-root-ca.crt" } }];

test("what the cluster adds to every pod is no change", () => {
  const injected = withToken({ projected: { sources: token } }, stress);
  const admitted = inPod((spec) => {
    const container = partOf(spec, "containers", 0);
    (container["volumeMounts"] as object[]).push({ name: "kube-api-access-x", mountPath: tokenMount });
    Object.assign(container, { terminationMessagePath: "/dev/termination-log", resizePolicy: [{ a: "b" }] });
    (spec["volumes"] as object[]).push({ name: "kube-api-access-x", projected: { sources: token } });
    set({
      ...{ priority: 0, enableServiceLinks: true, serviceAccountName: "default", dnsPolicy: "ClusterFirst" },
      ...{ securityContext: {}, schedulerName: "default-scheduler", tolerations: [failing] },
    })(spec);
  });
  expect(classes(admitted, { injected })).toEqual([]);
});

test.each([
  ["the same token as all pods", { projected: { sources: token } }, []],
  ["an empty directory in the place of its token", { emptyDir: {} }, ["breaks"]],
  ["a token for another audience", { projected: { sources: [{ ...token[0], audience: "x" }] } }, ["breaks"]],
  [
    "certificates of another server",
    { projected: { sources: [token[0], { configMap: { name: "x" } }] } },
    ["breaks"],
  ],
])("a pod with %s", (_, source, is) => {
  const injected = withToken({ projected: { sources: token } }, stress);
  expect(kindsOfChange(withToken(source), { injected })).toEqual(is);
});

test("a pod of a workload that has ended and stays is foreign, unless its kubelet has evicted it", () => {
  const ended = (phase: string, conditions: object[] = []): ArenaObjects => {
    const [pod] = healthy.objects.filter(({ metadata: { name } }) => name === `${target}-0`);
    const metadata = { ...pod?.metadata, name: "ended" };
    return { ...healthy, objects: [...healthy.objects, { ...pod, metadata, status: { phase, conditions } }] };
  };
  expect(classes(ended("Succeeded"))).toEqual(["foreign Pod/ended"]);
  expect(classes(ended("Failed"))).toEqual(["foreign Pod/ended"]);
  const evicted = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" };
  expect(classes(ended("Failed", [evicted]))).toEqual([]);
  const going = ended("Failed");
  const pod = going.objects.at(-1);
  Object.assign(pod?.metadata ?? {}, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  expect(classes(going)).toEqual([]);
});

test.each([
  ["the node's network", inPod(set({ hostNetwork: true }))],
  ["names of its own", inPod(set({ hostAliases: [{ ip: "10.0.0.9", hostnames: ["cart"] }] }))],
  ["an account", inPod(set({ serviceAccountName: "admin" }))],
  ["an end that is never repeated", inPod(set({ restartPolicy: "Never" }))],
  ["a second program", inPod((spec) => (spec["containers"] as object[]).push({ name: "side" }))],
  ["a program before its own", inPod(set({ initContainers: [{ name: "first" }] }))],
  ["another command", inContainer({ command: ["sleep", "1"] })],
  ["a directory of its node", inPod((spec) => (spec["volumes"] as object[]).push(ofNode()))],
  ["a directory of its node under the name of its token", inPod(addVolume({ hostPath: { path: "/" } }))],
  ["a Secret beside its token", inPod(addVolume({ projected: { sources: [{ secret: { name: "x" } }] } }))],
  [
    "a mount of its own in the token's place",
    inContainer({ volumeMounts: [{ name: "x", mountPath: tokenMount }] }),
  ],
  ["less CPU", inPod((spec) => set({ cpu: "1m" })(partOf(spec, "containers", 0, "resources", "limits")))],
] as [string, ArenaObjects][])("a pod that has %s, and its template has not, breaks", (_, arena) => {
  expect(kindsOfChange(arena)).toEqual(["breaks"]);
});

test.each([
  ["stays on lost nodes for ever", inPod(set({ tolerations: [{ ...failing, tolerationSeconds: 9e9 }] }))],
  ["displaces others", inPod(set({ priorityClassName: "system-cluster-critical", priority: 2e9 }))],
  ["has a label for a mesh", metadata(`Pod/${target}`, { labels: labelled({ "istio.io/rev": "x" }) })],
  ["had a debug container", inspected({ terminated: { exitCode: 0 } })],
] as [string, ArenaObjects][])("a pod alone that %s is changed", (_, arena) => {
  expect(kindsOfChange(arena)).toEqual(["changed"]);
});

test("a label without a domain on a pod is allowed, and those of controllers are no change", () => {
  const withLabel = (label: object) => metadata(`Pod/${target}`, { labels: labelled(label) });
  expect(kindsOfChange(withLabel({ note: "x" }))).toEqual(["allowed"]);
  expect(classes(withLabel({ "pod-template-hash": "1" }))).toEqual([]);
});

test("a debug container that runs acts", () => {
  expect(kindsOfChange(inspected({ running: {} }))).toEqual(["acts"]);
});

function labelled(labels: object): object {
  const pod = healthy.objects.find(({ metadata: { name } }) => name === `${target}-0`);
  return { ...pod?.metadata.labels, ...labels };
}

function inspected(state: object): ArenaObjects {
  const debugged = inPod(set({ ephemeralContainers: [{ name: "debug" }] }));
  const statuses = { ephemeralContainerStatuses: [{ name: "debug", state }] };
  return change(`Pod/${target}`, (pod) => Object.assign(partOf(pod, "status"), statuses), debugged);
}

function withToken(source: object, arena = healthy): ArenaObjects {
  return inPod((spec) => {
    const container = partOf(spec, "containers", 0);
    const mount = { name: "kube-api-access-x", mountPath: tokenMount, readOnly: true };
    (container["volumeMounts"] as object[]).push(mount);
    addVolume(source)(spec);
  }, arena);
}

function addVolume(source: object) {
  return (spec: Loose): void => {
    (spec["volumes"] as object[]).push({ name: "kube-api-access-x", ...source });
  };
}

function ofNode() {
  return { name: "node", hostPath: { path: "/" } };
}

test.each([
  ["more CPU", inPod((spec) => set({ cpu: "9" })(partOf(spec, "containers", 0, "resources", "limits")))],
  ["a toleration", inPod(set({ tolerations: [{ operator: "Exists" }] }))],
  ["an annotation", metadata(`Pod/${target}`, { annotations: { "example.com/a": "1" } })],
] as [string, ArenaObjects][])("a pod that has %s, and its template has not, is changed", (_, arena) => {
  expect(kindsOfChange(arena)).toEqual(["changed"]);
});

test("the cluster acts on a pod's annotations, and those that pods had before are its own", () => {
  const annotated = metadata(`Pod/${target}`, { annotations: { "kubernetes.io/ingress-bandwidth": "1k" } });
  expect(kindsOfChange(annotated)).toEqual(["acts"]);
  expect(classes(annotated, { injected: annotated })).toEqual([]);
});

test("what pods had before the remedies and forbids nothing is the cluster's, on new pods too", () => {
  const tolerant = inPod(set({ tolerations: [{ key: "pool", operator: "Exists" }] }));
  expect(classes(tolerant, { injected: tolerant })).toEqual([]);
  const again = metadata(`Pod/${target}`, { name: "new", uid: "new" }, tolerant);
  expect(classes(again, { injected: tolerant })).toEqual([]);
});

test("a pod that may take a day to end stays with all that it holds", () => {
  const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const slow = metadata("Pod/frontend", { ...going, deletionGracePeriodSeconds: 86_400 });
  expect(changesOf(slow)).toMatchObject([
    { class: "breaks", detail: expect.stringMatching(/86400 s to end/) },
  ]);
  expect(classes(metadata("Pod/frontend", { ...going, deletionGracePeriodSeconds: 5 }))).toEqual([]);
});

test("a former revision that was rewritten waits for a rollback", () => {
  const poisoned = change("ReplicaSet/cartservice-1", (set) => {
    partOf(set, "spec", "template", "spec", "containers", 0)["image"] = "no-such";
  });
  expect(classes(poisoned)).toEqual(["changed ReplicaSet/cartservice-1"]);
});

test("without a mark no annotation of a pod is judged", () => {
  const annotated = metadata(`Pod/${target}`, { annotations: { "example.com/a": "1" } });
  const expected = { environment, target, record: record.objects, resourcesMayDiffer: false };
  expect(compareArena({ ...expected, mark: undefined }, annotated)).toEqual([]);
  expect(compareArena({ ...expected, mark: mark(stress) }, annotated)).toHaveLength(1);
});

const limited = inPod((spec) => {
  const resources = partOf(spec, "containers", 0, "resources");
  Object.assign(partOf(resources, "limits"), { "ephemeral-storage": "1Mi" });
});

test("a limit that a pod was given in place, and its template leaves open, breaks; those of limit ranges do not", () => {
  expect(kindsOfChange(limited)).toEqual(["breaks"]);
  const range = { apiVersion: "v1", kind: "LimitRange", metadata: { name: "all", uid: "l" } };
  const filled = { ...limited, around: [...limited.around, range] };
  const before = { ...healthy, around: [...healthy.around, range] };
  expect(kindsOfChange(filled, { injected: before })).toEqual([]);
});

test("a user's annotation on a pod is noted, so that a restore replaces the pod", () => {
  const annotations = { note: "1" };
  expect(kindsOfChange(metadata(`Pod/${target}`, { annotations }))).toEqual(["allowed"]);
  const ofControllers = { "kubernetes.io/limit-ranger": "cpu", "kubectl.kubernetes.io/restartedAt": "now" };
  expect(kindsOfChange(metadata(`Pod/${target}`, { annotations: ofControllers }))).toEqual([]);
});
