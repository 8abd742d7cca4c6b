import { expect, test } from "vitest";
import fault from "./index.ts";

const change = (field: string, was: string, is: string): string =>
  `1 change since 00:02:13, the latest first\n00:02:14 deployment/llm (rollout): template.spec.containers[llm].${field}: ${was} -> ${is}`;

test.each([
  ["resources.requests", "absent", '{"memory":"1152Gi"}', 1],
  ["resources.requests.memory", '"64Mi"', '"64Gi"', 1],
  ["resources.requests", "absent", '{"memory":"64Mi"}', 0],
  ["resources.requests.memory", '"64Mi"', '"128Mi"', 0],
])("a change of %s from %s to %s is found %i times", (field, was, is, count) => {
  const short = "Deployment/llm 1 1 1 ";
  const why = "ReplicaSet/llm-7d9c5b7f4b 0/3 nodes are available: 3 Insufficient memory.";
  const found = fault.evidence?.next([change(field, was, is), "", short, why], { namespace: "shop" });
  expect(found).toHaveLength(count);
});
