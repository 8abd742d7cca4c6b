import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError, retryable } from "@microremed/core";
import { execa } from "execa";
import type { RealCluster } from "./real-cluster.ts";

const manifests = fileURLToPath(new URL("../manifests/", import.meta.url));
const readyWithinMs = 300_000;
/** Longer than kubectl waits, so that it says what it has waited for. */
const withinMs = readyWithinMs + 30_000;

type Cluster = Pick<RealCluster, "kubeconfig" | "programs" | "nodes" | "endedDaemons">;

/** Installs DNS, a provisioner of volumes and metrics; returns when all nodes and all of it are ready. */
export async function installAddons(
  { kubeconfig, programs, nodes, endedDaemons }: Cluster,
  say: (line: string) => void,
): Promise<void> {
  const kubectl = async (...args: string[]): Promise<void> => {
    const words = ["--kubeconfig", kubeconfig, ...args];
    try {
      await execa(join(programs, "kubectl"), words, { timeout: withinMs });
    } catch (error) {
      const ended = await endedDaemons();
      if (ended === undefined) throw error;
      throw retryable("internal", `${AppError.from(error).message}\n${ended}`, undefined, error);
    }
  };
  const wait = [`--timeout=${readyWithinMs / 1000}s`];
  say("DNS, volumes, metrics");
  await kubectl("apply", "-f", manifests);
  const wanted = nodes.map((name) => `node/${name}`);
  // A kubelet registers its node a while after its start.
  await kubectl("wait", "--for=create", ...wanted, ...wait);
  await kubectl("wait", "--for=condition=Ready", ...wanted, ...wait);
  for (const [namespace, name] of [
    ["kube-system", "coredns"],
    ["kube-system", "metrics-server"],
    ["local-path-storage", "local-path-provisioner"],
  ] as const)
    await kubectl("-n", namespace, "rollout", "status", `deployment/${name}`, ...wait);
  await kubectl("wait", "--for=condition=Available", "apiservice/v1beta1.metrics.k8s.io", ...wait);
}
