import { isCall } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { grownMemory } from "./evidence.ts";

const labels = {
  mechanism: "resources-taken",
  systemLevel: "Operating System",
  faultType: "Operation Error",
} as const;

/** Workloads that are found, by lines of usage: pod, CPU, memory and limit of memory. */
function found(...lines: readonly [name: string, memory: string, limit: string][]): string[] {
  const usage = lines.map(
    ([name, memory, limit]) => `${name}-1-a main 30m ${memory} ReplicaSet/${name}-1 ,${limit}`,
  );
  const step = grownMemory(labels).next([usage.join("\n"), "exit code 0\n(no rows)"], { namespace: "shop" });
  if (isCall(step)) throw new Error("it asks for more");
  return step.map(({ workload }) => workload);
}

test("a worker that fills a container is found, and a small program that comes near its limit under load is not", () => {
  expect(found(["cart", "1400Mi", "2000Mi"], ["email", "60Mi", "100Mi"], ["quote", "30Mi", "40Mi"])).toEqual([
    "cart",
  ]);
});
