import { Environment } from "../environment/format.ts";
import { type GroundTruth, unionOfTruths } from "../ground-truth.ts";
import type { GradeContext } from "../task.ts";

const behaviour = { runtime: "go", startupCpuSeconds: 0.1, idleCpuMillicores: 1, memoryMi: 20 };

function workload(kind: string, name: string, calls: readonly string[], more = {}) {
  const container = { name: "server", image: `example.org/${name}:1`, behaviour, ...more };
  const called = calls.map((to) => ({
    to,
    address: `${to}:80`,
    protocol: "http",
    perRequest: 1,
    timeoutSeconds: 2,
  }));
  return { kind, containers: [container], calls: called };
}

const service = (app: string) => ({ selector: { app }, ports: [{ port: 80, targetPort: 8080 }] });

/** A system of four workloads: web calls cart and ads, cart calls the StatefulSet db; cart reads the ConfigMap settings. */
export const aShop: Environment = Environment.parse({
  name: "shop",
  description: "web calls cart and ads, cart calls db",
  source: "made up",
  namespace: "shop",
  targets: ["cart"],
  configMaps: { settings: { mode: "fast" } },
  workloads: {
    web: workload("Deployment", "web", ["cart", "ads"]),
    cart: workload("Deployment", "cart", ["db"], { envFrom: [{ configMap: "settings" }] }),
    ads: workload("Deployment", "ads", []),
    db: workload("StatefulSet", "db", []),
  },
  services: { web: service("web"), cart: service("cart"), ads: service("ads"), db: service("db") },
  load: { entry: "web:80", requestsPerSecond: 1 },
});

/** What a grader gets of an answer about `aShop`, whose namespace is shop-1; the live system may not be measured. */
export function aGradeContext<A>(truths: readonly GroundTruth[], answer: A): GradeContext<A> {
  return {
    truth: unionOfTruths(truths),
    truths,
    environment: aShop,
    namespace: "shop-1",
    answer,
    verify: () => Promise.reject(new Error("an answer is graded without measuring the system")),
  };
}
