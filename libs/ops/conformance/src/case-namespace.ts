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

/** Deletes it without waiting for its end. */
export async function deleteNamespace(target: Target, name: string): Promise<void> {
  await target
    .http("DELETE", `/api/v1/namespaces/${name}`, { signal: AbortSignal.timeout(20_000) })
    .catch(() => {});
}
