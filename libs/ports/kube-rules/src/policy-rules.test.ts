import { expect, test } from "vitest";
import { type PolicyCluster, type PolicyPod, type PolicySpec, policyOf, refusedWay } from "./policy-rules.ts";

const pod = (app: string, ip: string): PolicyPod => ({ namespace: "sys", labels: { app }, ip });
const web = pod("web", "10.0.0.1");
const db = pod("db", "10.0.0.2");
const sql = { protocol: "TCP", port: 5432 } as const;

const cluster = (...specs: readonly PolicySpec[]): PolicyCluster<PolicyPod> => ({
  policies: () => specs.map((spec) => policyOf("sys", spec)),
  labelsOf: () => ({}),
  portOf: (_pod, name) => (name === "sql" ? 5432 : undefined),
});
const into = (rule: object): PolicySpec => ({ podSelector: { matchLabels: { app: "db" } }, ingress: [rule] });

test("a policy that names no direction is about what comes in, and about what goes out if it has such rules", () => {
  expect(refusedWay(cluster({}), web, db, sql)).toBe("ingress");
  expect(refusedWay(cluster({ egress: [], ingress: [{}] }), web, db, sql)).toBe("egress");
});

test("policies add up: one rule of one of them is enough", () => {
  const webs = into({ from: [{ podSelector: { matchLabels: { app: "web" } } }] });
  expect(refusedWay(cluster({}, webs), web, db, sql)).toBeUndefined();
  expect(refusedWay(cluster({}, webs), pod("other", "10.0.0.3"), db, sql)).toBe("ingress");
});

test("ports go by number, by name and by range, and an echo passes only rules without ports", () => {
  const at = (port: object) => refusedWay(cluster(into({ ports: [port] })), web, db, sql);
  expect(at({ port: 5432 })).toBeUndefined();
  expect(at({ port: "sql" })).toBeUndefined();
  expect(at({ port: "http" })).toBe("ingress");
  expect(at({ port: 5000, endPort: 6000 })).toBeUndefined();
  expect(at({ port: 5432, protocol: "UDP" })).toBe("ingress");
  expect(refusedWay(cluster(into({ ports: [{ port: 5432 }] })), web, db, "icmp")).toBe("ingress");
  expect(refusedWay(cluster(into({})), web, db, "icmp")).toBeUndefined();
});

test("pods in their node's network are not concerned", () => {
  expect(refusedWay(cluster({}), web, { ...db, hostNetwork: true }, sql)).toBeUndefined();
});
