import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { k8sRoot, systemNamespace } from "../places.ts";
import { renderOverlay } from "../render-overlay.ts";
import { prodSecrets, secret } from "../secrets.ts";
import type { Machine } from "./machine/machine.ts";
import { kubeconfigSecrets, type OperatorsFiles, withClusters, withModels } from "./operators-part.ts";
import { createSite, type Site } from "./run-site.ts";
import { withoutRunnerPods } from "./without-runner-pods.ts";

/** What an operator brings of the models. */
export interface OperatorsModels {
  /** Text of the models file. */
  readonly models: string;
  /** What Secret model-keys-openai holds. */
  readonly keys: Readonly<Record<string, string>>;
  /** Addresses of the model servers' names. */
  readonly names: Readonly<Record<string, string>>;
}

/** The overlay `prod` on the cluster under test `staging`, not started yet. */
export async function rehearseProd(
  dir: string,
  machine: Machine,
  { kubeconfigs, clusters }: OperatorsFiles,
  { models, keys, names }: OperatorsModels,
): Promise<Site> {
  const rendered = (await renderOverlay(join(k8sRoot, "overlays/prod"))).map(withoutRunnerPods);
  const secrets = [
    ...(await prodSecrets()),
    ...(await kubeconfigSecrets(kubeconfigs)),
    secret("model-keys-openai", systemNamespace, keys),
  ];
  const objects = [
    ...rendered.map(withClusters(clusters)).map(withModels(models)),
    ...(secrets as unknown as KubeObject[]),
  ];
  return createSite({ objects, dir, machine, names });
}
