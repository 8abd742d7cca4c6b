import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { k8sRoot } from "../places.ts";
import { renderOverlay } from "../render-overlay.ts";
import { devSecrets } from "../secrets.ts";
import type { Machine } from "./machine/machine.ts";
import type { RunningPod } from "./run-pod.ts";
import { createSite, type Site } from "./run-site.ts";
import { withoutRunnerPods } from "./without-runner-pods.ts";

/** The overlay `dev` with Secrets of its own, not started yet. */
export async function rehearseDev(dir: string, machine: Machine): Promise<Site> {
  const rendered = (await renderOverlay(join(k8sRoot, "overlays/dev"))).map(withoutRunnerPods);
  const secrets = (await devSecrets()) as unknown as KubeObject[];
  return createSite({ objects: [...rendered, ...secrets], dir, machine });
}

/** How many messages a service's pod has handled, from its metrics. */
export async function messagesHandled(pod: RunningPod): Promise<number> {
  const answer = await fetch(`http://${pod.ip}:9090/metrics`, { signal: AbortSignal.timeout(10_000) });
  const lines = (await answer.text())
    .split("\n")
    .filter((line) => line.startsWith("microremed_messages_handled_total{"));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
