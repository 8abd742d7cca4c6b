import { defineEnvironment } from "../environment/define-environment.ts";
import type { Environment } from "../environment/environment.types.ts";
import { type GroundTruth, unionOfTruths } from "../ground-truth.ts";
import type { GradeContext } from "../task.ts";
import { aServiceManifest, aWorkloadManifest } from "./some-manifests.ts";

const behaviour = {
  runtime: "go",
  startupCpuSeconds: 0.1,
  idleCpuMillicores: 1,
  memoryMi: 20,
} as const;

const modelOf = (calls: readonly string[]) => ({
  containers: { server: behaviour },
  calls: calls.map((to) => ({
    to,
    address: `${to}:80`,
    protocol: "http" as const,
    perRequest: 1,
    timeoutSeconds: 2,
  })),
});

/** A system of four workloads: web calls cart and ads, cart calls the StatefulSet db; cart reads the ConfigMap settings. */
export const aShop: Environment = defineEnvironment({
  manifests: [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { mode: "fast" } },
    ...["web", "cart", "ads", "db"].map((name) => aServiceManifest(name)),
    aWorkloadManifest("Deployment", "web"),
    aWorkloadManifest("Deployment", "cart", { envFrom: [{ configMapRef: { name: "settings" } }] }),
    aWorkloadManifest("Deployment", "ads"),
    aWorkloadManifest("StatefulSet", "db"),
  ],
  model: {
    name: "shop",
    description: "web calls cart and ads, cart calls db",
    source: "made up",
    targets: ["cart"],
    workloads: { web: modelOf(["cart", "ads"]), cart: modelOf(["db"]), ads: modelOf([]), db: modelOf([]) },
  },
  workload: { entry: "web:80", requestsPerSecond: 1 },
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
