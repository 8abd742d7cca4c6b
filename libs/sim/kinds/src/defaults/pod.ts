import { type Loose, type LooseRecord, parseQuantity } from "@microremed/sim-objects";
import { defaultPodSpec, fill } from "./pod-spec.ts";

const notReady = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

function defaultTolerations(spec: Loose): void {
  spec.tolerations ??= [];
  for (const key of notReady) {
    const tolerated = spec.tolerations.some(
      (toleration: Loose) =>
        (!toleration.key || toleration.key === key) &&
        (!toleration.effect || toleration.effect === "NoExecute"),
    );
    if (tolerated) continue;
    spec.tolerations.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  }
}

function defaultRequests(container: Loose): void {
  const { limits } = container.resources ?? {};
  if (!limits) return;
  container.resources.requests ??= {};
  fill(container.resources.requests, limits);
}

/** Guaranteed, Burstable or BestEffort, from the containers' cpu and memory. */
export function qosClass(spec: Loose): string {
  const containers: Loose[] = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const names = ["cpu", "memory"];
  const amount = (container: Loose, side: string, name: string): number =>
    parseQuantity(container.resources?.[side]?.[name]) ?? 0;
  const anything = containers.some((container) =>
    names.some((name) => amount(container, "requests", name) > 0 || amount(container, "limits", name) > 0),
  );
  if (!anything) return "BestEffort";
  const guaranteed = containers.every((container) =>
    names.every((name) => {
      const limit = amount(container, "limits", name);
      const request = parseQuantity(container.resources?.requests?.[name]) ?? limit;
      return limit > 0 && request === limit;
    }),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}

/** What a pod itself (not a template) gets on top: admission plug-ins included. Changes `pod`. */
export function defaultPod(pod: LooseRecord): void {
  const spec = pod["spec"];
  defaultPodSpec(spec);
  fill(spec, { serviceAccountName: "default", serviceAccount: spec.serviceAccountName ?? "default" });
  fill(spec, { enableServiceLinks: true, preemptionPolicy: "PreemptLowerPriority", priority: 0 });
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    defaultRequests(container);
  }
  defaultTolerations(spec);
  if (spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
}
