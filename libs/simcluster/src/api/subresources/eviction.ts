import type { KubeObject } from "../../objects.ts";
import { StatusError } from "../../store/status-error.ts";
import type { ApiContext, Call } from "../context.ts";
import type { Reply } from "../http/respond.ts";
import { isRecord } from "../loose.ts";
import { readDeleteOptions } from "../rest/delete.ts";
import { requireObject } from "../rest/read.ts";
import { matchesLabels } from "../selectors.ts";

const budgets = { group: "policy", resource: "poddisruptionbudgets" };
const pods = { group: "", resource: "pods" };
const retryAfterSeconds = 10;

function blockedBy(context: ApiContext, pod: KubeObject): KubeObject | undefined {
  return context.store
    .list(budgets, pod.metadata.namespace)
    .filter((budget) => matchesLabels(budget.spec?.selector, pod.metadata.labels))
    .find((budget) => (budget.status?.disruptionsAllowed ?? 0) < 1);
}

/** Deletes a pod unless a disruption budget stands against it (429). */
export async function evict(context: ApiContext, call: Call): Promise<Reply> {
  const body = await call.body();
  const pod = requireObject(context, call);
  const sent = isRecord(body) && isRecord(body["deleteOptions"]) ? body["deleteOptions"] : undefined;
  const { options, dryRun } = readDeleteOptions(call.query, sent);
  const ended = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  const budget = ended || pod.metadata.deletionTimestamp ? undefined : blockedBy(context, pod);
  if (budget) {
    throw new StatusError(
      429,
      "TooManyRequests",
      "Cannot evict pod as it would violate the pod's disruption budget.",
      {
        retryAfterSeconds,
        causes: [
          {
            reason: "DisruptionBudget",
            message: `The disruption budget ${budget.metadata.name} needs ${budget.status?.desiredHealthy ?? 0} healthy pods and has ${budget.status?.currentHealthy ?? 0} currently`,
          },
        ],
      },
    );
  }
  if (!dryRun) context.store.delete(pods, pod.metadata.namespace, pod.metadata.name, options);
  return {
    status: 201,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
  };
}
