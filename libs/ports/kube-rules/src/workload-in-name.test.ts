import { expect, test } from "vitest";
import { workloadInName } from "./workload-in-name.ts";

test.each([
  ["cart-6c7954cc77-z8qqn", "cart", "a Deployment's"],
  ["web-2-6c7954cc77-24567", "web-2", "one whose random part is of digits alone"],
  ["node-exporter-x7k2p", "node-exporter", "a DaemonSet's"],
  ["kube-proxy-zz9pk", "kube-proxy", "a DaemonSet's with a short last word"],
  ["redis-cart-0", "redis-cart", "a StatefulSet's"],
  ["backup-29384756-vbb4t", "backup", "a CronJob's"],
  ["migrate-k4x9z", "migrate", "a Job's"],
  ["toolbox", "toolbox", "one of its own"],
  ["front-end", "front-end", "one of its own, of two words"],
])("%s belongs to %s: %s", (pod, workload) => {
  expect(workloadInName(pod)).toBe(workload);
});
