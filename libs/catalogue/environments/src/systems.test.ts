import { parseQuantity } from "@microremed/catalogue";
import type { Environment } from "@microremed/catalogue/environment";
import { oneOf } from "@microremed/core";
import { expect, test } from "vitest";
import { createEnvironmentRegistry, environments } from "./registry.ts";

/** As they are deployed where they come from, social-network with limits; requests and limits count replicas, init containers do not count. */
const facts = {
  "astronomy-shop": {
    ...{ workloads: 22, pods: 22, containers: 23, services: 20, calls: 42, targets: 22 },
    ...{ cpuRequests: 0, memoryRequests: 0, cpuLimits: 0, memoryLimits: 4750 },
  },
  "fleetcast-tidb": {
    ...{ workloads: 7, pods: 14, containers: 14, services: 8, calls: 6, targets: 3 },
    ...{ cpuRequests: 1700, memoryRequests: 2112, cpuLimits: 8750, memoryLimits: 6656 },
  },
  "hotel-reservation": {
    ...{ workloads: 19, pods: 19, containers: 19, services: 20, calls: 24, targets: 17 },
    ...{ cpuRequests: 1900, memoryRequests: 0, cpuLimits: 19000, memoryLimits: 0 },
  },
  "simple-micro": {
    ...{ workloads: 2, pods: 2, containers: 4, services: 2, calls: 1, targets: 2 },
    ...{ cpuRequests: 300, memoryRequests: 728, cpuLimits: 1100, memoryLimits: 4128 },
  },
  "online-boutique": {
    ...{ workloads: 12, pods: 12, containers: 24, services: 12, calls: 16, targets: 12 },
    ...{ cpuRequests: 2170, memoryRequests: 2192, cpuLimits: 3425, memoryLimits: 24768 },
  },
  "social-network": {
    ...{ workloads: 27, pods: 27, containers: 27, services: 27, calls: 31, targets: 27 },
    ...{ cpuRequests: 3150, memoryRequests: 3904, cpuLimits: 16700, memoryLimits: 43520 },
  },
  "train-ticket": {
    ...{ workloads: 50, pods: 56, containers: 68, services: 53, calls: 212, targets: 46 },
    ...{ cpuRequests: 7050, memoryRequests: 19176, cpuLimits: 26600, memoryLimits: 98180 },
  },
};

function totals(environment: Environment) {
  const workloads = Object.values(environment.workloads);
  const sum = (of: (workload: (typeof workloads)[number]) => number): number =>
    workloads.reduce((total, workload) => total + of(workload), 0);
  const resources = (kind: "requests" | "limits", resource: "cpu" | "memory"): number =>
    sum((workload) => {
      const quantities = workload.containers.map((container) => container.resources[kind][resource]);
      const amounts = quantities.map(
        (quantity) => (parseQuantity(quantity) ?? 0) * (resource === "cpu" ? 1000 : 2 ** -20),
      );
      return workload.replicas * amounts.reduce((total, amount) => total + amount, 0);
    });
  return {
    workloads: workloads.length,
    pods: sum((workload) => workload.replicas),
    containers: sum((workload) => workload.replicas * workload.containers.length),
    services: Object.keys(environment.services).length,
    calls: sum((workload) => workload.calls.length),
    targets: environment.targets.length,
    cpuRequests: Math.round(resources("requests", "cpu")),
    memoryRequests: resources("requests", "memory"),
    cpuLimits: Math.round(resources("limits", "cpu")),
    memoryLimits: resources("limits", "memory"),
  };
}

test.each(Object.entries(facts))("%s has the sizes that its source deploys", (name, expected) => {
  expect(totals(environments.get(name))).toEqual(expected);
});

test("an unknown environment is answered with the known ones", () => {
  const known = oneOf(environments.names());
  expect(() => environments.get("xyz")).toThrow(`there is no environment "xyz"; known: ${known}`);
  expect(() => createEnvironmentRegistry("/nowhere")).toThrow(/\/nowhere does not exist/);
});
