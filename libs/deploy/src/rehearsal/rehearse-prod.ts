import { join } from "node:path";
import type { KubeObject } from "@microremed/kube";
import { k8sRoot } from "../places.ts";
import { renderOverlay } from "../render-overlay.ts";
import { prodSecrets } from "../secrets.ts";
import { kubeconfigSecrets, withClusters } from "./operators-part.ts";
import { createSite, type Site } from "./run-site.ts";

/** Remediators of models that take keys or a server of their own. */
const notRehearsed = ["remediator-openai", "remediator-self-hosted"];

/** The overlay `prod` on the cluster under test `staging`, not started yet; arguments as of `rehearseSplit`. */
export async function rehearseProd(dir: string, kubeconfigs: string, clusters: string): Promise<Site> {
  const rendered = await renderOverlay(join(k8sRoot, "overlays/prod"));
  const secrets = [...(await prodSecrets()), ...(await kubeconfigSecrets(kubeconfigs))];
  const objects = [
    ...rendered.filter(({ metadata }) => !notRehearsed.includes(metadata.name)).map(withClusters(clusters)),
    ...(secrets as unknown as KubeObject[]),
  ];
  return createSite({ objects, dir, subnet: 80 });
}
