import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { RealCluster } from "./real-cluster.ts";

const manifests = fileURLToPath(new URL("../manifests/", import.meta.url));
const readyWithinMs = 300_000;
/** Longer than kubectl waits, so that it says what it has waited for. */
const withinMs = readyWithinMs + 30_000;

/** Installs DNS, a provisioner of volumes and metrics; returns when all nodes and all of it are ready. */
export async function installAddons(
  { kubeconfig, programs }: Pick<RealCluster, "kubeconfig" | "programs">,
  say: (line: string) => void,
): Promise<void> {
  const kubectl = (...args: string[]) =>
    execa(join(programs, "kubectl"), ["--kubeconfig", kubeconfig, ...args], { timeout: withinMs });
  const wait = [`--timeout=${readyWithinMs / 1000}s`];
  say("DNS, volumes, metrics");
  await kubectl("apply", "-f", manifests);
  await kubectl("wait", "--for=condition=Ready", "nodes", "--all", ...wait);
  for (const [namespace, name] of [
    ["kube-system", "coredns"],
    ["kube-system", "metrics-server"],
    ["local-path-storage", "local-path-provisioner"],
  ] as const)
    await kubectl("-n", namespace, "rollout", "status", `deployment/${name}`, ...wait);
  await kubectl("wait", "--for=condition=Available", "apiservice/v1beta1.metrics.k8s.io", ...wait);
}
