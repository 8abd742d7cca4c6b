import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { k8sRoot, systemNamespace } from "../places.ts";
import { renderOverlay } from "../render-overlay.ts";
import { type SecretManifest, secret, splitSecrets } from "../secrets.ts";
import type { Machine } from "./machine/machine.ts";
import { kubeconfigSecrets, type OperatorsFiles, withClusters } from "./operators-part.ts";
import { createSite, type Site } from "./run-site.ts";
import { withoutRunnerPods } from "./without-runner-pods.ts";

/** Names that overlay cs-llm calls the cluster side by. */
const doors = { bus: "bus.range.example.org", state: "state.range.example.org" } as const;

export interface SplitRehearsal {
  readonly cluster: Site;
  readonly llm: Site;
}

/**
 * Both halves of MicroRemed-CS, not started yet, with the cluster under test `staging`. The LLM side knows of the cluster
 * side two names and nothing else.
 */
export async function rehearseSplit(
  dir: string,
  machine: Machine,
  { kubeconfigs, clusters }: OperatorsFiles,
): Promise<SplitRehearsal> {
  // Addresses too, and what Node calls a server that it only has an address of: a client on this machine has no names.
  const addresses = Array.from({ length: 30 }, (_, index) => machine.network.address(0, index + 1));
  const secrets = await splitSecrets([...Object.values(doors), ...addresses, "localhost"]);
  const brought = await kubeconfigSecrets(kubeconfigs);
  const site = async (
    name: string,
    made: readonly SecretManifest[],
    number: number,
    names: Record<string, string>,
  ): Promise<Site> => {
    const rendered = (await renderOverlay(join(k8sRoot, "overlays", name))).map(withoutRunnerPods);
    await mkdir(join(dir, name));
    const objects = [...rendered.map(withClusters(clusters)), ...(made as unknown as KubeObject[])];
    return createSite({ objects, dir: join(dir, name), machine, number, names });
  };
  const cluster = await site("cs-cluster", [...secrets.cluster, ...brought], 0, {});
  const keys = secret("model-keys-openai", systemNamespace, { OPENAI_API_KEY: "a-made-up-key" });
  const names = {
    [doors.bus]: cluster.addressOf("nats-leaf"),
    [doors.state]: cluster.addressOf("redis-outside"),
  };
  return { cluster, llm: await site("cs-llm", [...secrets.llm, keys], 1, names) };
}
