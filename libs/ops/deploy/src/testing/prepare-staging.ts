import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { environments } from "@microremed/environments";
import { startSimCluster } from "@microremed/simcluster";
import { k8sRoot } from "../places.ts";
import type { PodNetwork } from "../rehearsal/machine/pod-network.ts";
import { createKubectl } from "../target/kubectl.ts";
import { prepareTarget } from "../target/prepare-target.ts";

/** A prepared cluster under test that the range knows only by its kubeconfig. */
export interface Staging extends AsyncDisposable {
  /** Where `cluster prepare` wrote a kubeconfig per service. */
  readonly kubeconfigs: string;
  /** An operator's clusters file with it. */
  readonly clusters: string;
}

/**
 * Starts an embedded cluster with simple-micro where pods of the network find it, at the port of API servers, and
 * prepares it as `staging`, with its files in `dir`.
 */
export async function prepareStaging(
  dir: string,
  { gateway, isolated }: Pick<PodNetwork, "gateway" | "isolated">,
): Promise<Staging> {
  await using stack = new AsyncDisposableStack();
  const target = stack.use(
    await startSimCluster({
      name: "staging",
      seed: 1,
      timeScale: 60,
      host: gateway,
      // All processes share the loopback.
      port: isolated ? 6443 : 0,
      identity: { hosts: [gateway] },
      environments: [environments.get("simple-micro")],
    }),
  );
  await mkdir(dir, { recursive: true });
  const kubeconfig = join(dir, "admin.kubeconfig");
  await writeFile(kubeconfig, target.kubeconfig, { mode: 0o600 });
  const out = join(dir, "kubeconfigs");
  const kubectl = createKubectl(kubeconfig);
  const options = { kubectl, kubeconfig, name: "staging", out, namespaces: [], podsPerArena: 100 };
  await prepareTarget({ ...options, dryRun: false });
  await kubectl(["apply", "-f", join(k8sRoot, "components/embedded-clusters/clock.yaml")]);
  const owned = stack.move();
  return {
    kubeconfigs: out,
    clusters: `clusters: [{ name: staging, kubeconfig: ../kubeconfigs/staging, arenas: 1, clock: "${target.clockUrl}" }]`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
