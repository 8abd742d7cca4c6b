import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { readBy } from "./read-by.ts";
import { partOf } from "./testing/an-arena.ts";
import { change, deployment, kindsOfChange, type Loose, set, target } from "./testing/judged-arena.ts";

/** Added to a template, and to the pod that is made of it. */
function inTemplate(what: "annotations" | "labels", name: string, of = target): ArenaObjects {
  const add = (metadata: Loose) => {
    metadata[what] = { ...(metadata[what] as object), [name]: "x" };
  };
  const arena = deployment(of, (spec) => add(partOf(spec, "template", "metadata")));
  return change(`Pod/${of}`, (pod) => add(partOf(pod, "metadata")), arena);
}

test.each([
  "kubernetes.io/egress-bandwidth",
  "kubernetes.io/ingress-bandwidth",
  "container.apparmor.security.beta.kubernetes.io/server",
  "seccomp.security.alpha.kubernetes.io/pod",
  "cluster-autoscaler.kubernetes.io/safe-to-evict",
  "node.k8s.io/of-tomorrow",
])("the cluster acts on %s", (name) => {
  expect(kindsOfChange(inTemplate("annotations", name))).toEqual(["acts"]);
});

test.each(["sidecar.istio.io/inject", "linkerd.io/inject", "io.kubernetes.cri-o.Devices", "example.com/a"])(
  "something may act on %s: it is not clean",
  (name) => {
    expect(readBy(name)).toBe("others");
    expect(kindsOfChange(inTemplate("annotations", name))).toEqual(["changed"]);
    expect(kindsOfChange(inTemplate("labels", name))).toEqual(["changed"]);
  },
);

test.each(["restarted-at", "restartedAt", "kubernetes.io/change-cause"])("nothing acts on %s", (name) => {
  expect(kindsOfChange(inTemplate("annotations", name))).toEqual(["allowed"]);
  expect(kindsOfChange(inTemplate("annotations", name, "shippingservice"))).toEqual(["changed"]);
});

test("a Service's traffic follows its annotations", () => {
  const annotations = { "service.kubernetes.io/topology-mode": "Auto" };
  const near = change("Service/frontend", (object) => set({ annotations })(partOf(object, "metadata")));
  expect(kindsOfChange(near)).toEqual(["acts"]);
});
