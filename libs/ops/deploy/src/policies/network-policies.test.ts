import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { judgeOf, type PolicyPod } from "./network-policies.ts";

const pod = (app: string, ip: string, namespace = "sys"): PolicyPod => ({
  namespace,
  labels: { app },
  ip,
  ports: { http: 8080 },
});
const policy = (name: string, spec: object): KubeObject =>
  ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace: "sys" },
    spec,
  }) as KubeObject;
const deny = policy("deny", { podSelector: {}, policyTypes: ["Ingress", "Egress"] });
const [web, db, other] = [pod("web", "10.0.0.1"), pod("db", "10.0.0.2"), pod("web", "10.0.0.3", "elsewhere")];
const outside = { ip: "192.0.2.1" };

test("without a policy everything is open, and a denying one closes both ways but not a pod to itself", () => {
  expect(judgeOf([])(web, db, 80)).toBeUndefined();
  expect(judgeOf([deny])(web, db, 80)).toBe("the way out of its pod");
  expect(judgeOf([deny])(outside, db, 80)).toBe("the way into the other");
  expect(judgeOf([deny])(web, web, 80)).toBeUndefined();
});

test("both ways must be let through, at the port that is named", () => {
  const out = policy("out", {
    podSelector: { matchLabels: { app: "web" } },
    policyTypes: ["Egress"],
    egress: [{ to: [{ podSelector: { matchLabels: { app: "db" } } }], ports: [{ port: 8080 }] }],
  });
  const into = policy("in", {
    podSelector: { matchLabels: { app: "db" } },
    ingress: [{ from: [{ podSelector: {} }], ports: [{ port: "http", protocol: "TCP" }] }],
  });
  expect(judgeOf([deny, out])(web, db, 8080)).toBe("the way into the other");
  expect(judgeOf([deny, out, into])(web, db, 8080)).toBeUndefined();
  expect(judgeOf([deny, out, into])(web, db, 8081)).toBe("the way out of its pod");
  expect(judgeOf([deny, out, into])(other, db, 8080)).toBe("the way into the other");
});

test("peers are pods of namespaces by their labels, or blocks of addresses with holes", () => {
  const from = (peers: object[]) => judgeOf([policy("in", { podSelector: {}, ingress: [{ from: peers }] })]);
  const named = {
    matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["elsewhere"] }],
  };
  expect(from([{ namespaceSelector: named }])(other, db, 1)).toBeUndefined();
  expect(from([{ namespaceSelector: named, podSelector: { matchLabels: { app: "x" } } }])(other, db, 1)).toBe(
    "the way into the other",
  );
  const block = { ipBlock: { cidr: "192.0.2.0/24", except: ["192.0.2.128/25"] } };
  expect(from([block])(outside, db, 1)).toBeUndefined();
  expect(from([block])({ ip: "192.0.2.200" }, db, 1)).toBe("the way into the other");
});
