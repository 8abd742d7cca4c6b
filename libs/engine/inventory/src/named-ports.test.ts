import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { isSamePort } from "./named-ports.ts";

const workload = (name: string, containerPort: number): KubeObject => ({
  ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name } },
  spec: {
    template: {
      metadata: { labels: { app: "shop", name } },
      spec: { containers: [{ name: "main", ports: [{ name: "http", containerPort }] }, { name: "other" }] },
    },
  },
});
const service = (selector: Record<string, string>): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Service", metadata: { name: "shop" } },
  spec: { selector },
});
const record = [workload("a", 8080), workload("b", 9090)];

test("a named port is its number, in all pods that a Service selects", () => {
  const ofOne = isSamePort(service({ name: "a" }), record);
  expect(ofOne("http", "8080")).toBe(true);
  expect(ofOne("8080", "http")).toBe(true);
  expect(ofOne("http", "9090")).toBe(false);
  expect(ofOne("grpc", "8080")).toBe(false);
  expect(isSamePort(service({ app: "shop" }), record)("http", "8080")).toBe(false);
  expect(isSamePort(service({ app: "none" }), record)("http", "8080")).toBe(false);
});

test("in a probe it is that of the own pod", () => {
  expect(isSamePort(workload("b", 9090), [])("http", "9090")).toBe(true);
  expect(isSamePort(workload("b", 9090), [])("http", "8080")).toBe(false);
});
