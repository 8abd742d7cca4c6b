import { setTimeout as delay } from "node:timers/promises";
import type { Target } from "./case.types.ts";

/** Creates a namespace that pods can start in: its default service account is there. */
export async function createNamespace(target: Target, name: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { suite: "conformance" } },
  });
  const { status, text } = await target.http("POST", "/api/v1/namespaces", { signal, body });
  if (status !== 201) throw new Error(`namespace ${name} could not be made: ${status} ${text}`);
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  while ((await target.http("GET", account, { signal })).status !== 200)
    await delay(50, undefined, { signal });
}

const requestWithinMs = 20_000;

/** Deletes it without waiting for its end. */
export async function deleteNamespace(target: Target, name: string): Promise<void> {
  await target
    .http("DELETE", `/api/v1/namespaces/${name}`, { signal: AbortSignal.timeout(requestWithinMs) })
    .catch(() => {});
}

/** What goes on by itself, the makers of others first. */
const running = [
  ...["cronjobs", "jobs"].map((kind) => `/apis/batch/v1 ${kind}`),
  "/apis/autoscaling/v2 horizontalpodautoscalers",
  ...["deployments", "statefulsets", "daemonsets", "replicasets"].map((kind) => `/apis/apps/v1 ${kind}`),
  ...["replicationcontrollers", "pods", "services"].map((kind) => `/api/v1 ${kind}`),
];

/**
 * Ends what runs in it and leaves the rest: to end a namespace, its controller asks for the objects of every kind, again and
 * again, which is a third of what the cases cost a real cluster.
 */
export async function emptyNamespace(target: Target, name: string): Promise<void> {
  for (const kind of running) {
    const path = kind.replace(" ", `/namespaces/${name}/`);
    await target
      .http("DELETE", `${path}?propagationPolicy=Background`, {
        signal: AbortSignal.timeout(requestWithinMs),
      })
      .catch(() => {});
  }
}
