import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { keptOutText } from "./kept-out.ts";

const plain = environments.get("simple-micro");
const policy = (name: string, spec: object) => ({
  ...{ apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name }, spec },
});
const selects = (app: string) => ({ podSelector: { matchLabels: { app } } });
const deny = policy("default-deny", { podSelector: {}, policyTypes: ["Ingress"] });
const ofHarness = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "microremed" } } };
const keptOut = (...policies: object[]) =>
  keptOutText({ ...plain, manifests: [...plain.manifests, ...policies] as never }, "time-service");

test("policies that let the prober ask for everything keep it out of nothing", () => {
  expect(keptOut()).toBeUndefined();
  expect(keptOut(policy("other", { ...selects("hello-service"), policyTypes: ["Ingress"] }))).toBeUndefined();
  expect(keptOut(policy("egress", { podSelector: {}, policyTypes: ["Egress"] }))).toBeUndefined();
  const from = [{ ...ofHarness, podSelector: { matchLabels: { app: "prober" } } }];
  expect(keptOut(deny, policy("let", { podSelector: {}, ingress: [{ from }] }))).toBeUndefined();
});

test("what the prober asks and policies refuse is named, with the policies that select the pods and with what lets it in", () => {
  const callers = policy("callers", { podSelector: {}, ingress: [{ from: [selects("hello-service")] }] });
  const text = keptOut(deny, callers, policy("other", { ...selects("hello-service") })) ?? "";
  expect(text).toMatch(
    /^NetworkPolicy default-deny, callers keeps the prober out of time-service \(echo requests, port \d+\); let/,
  );
  expect(text).toContain("the pods of namespace microremed with the label app=prober");
  const [, port] = /port (\d+)/.exec(text) ?? [];
  const oneRule = policy("port", { podSelector: {}, ingress: [{ ports: [{ port: Number(port) }] }] });
  expect(keptOut(deny, oneRule)).toContain("(echo requests)");
});
