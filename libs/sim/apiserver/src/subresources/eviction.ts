import { matchesLabels } from "@microremed/sim-kinds";
import { isRecord, type KubeObject, StatusError } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { ApiContext, Call } from "../context/context.ts";
import type { Reply } from "../http/respond.ts";
import { readDeleteOptions } from "../rest/delete.ts";
import { requireObject } from "../rest/read.ts";

const budgets = { group: "policy", resource: "poddisruptionbudgets" };
const pods = { group: "", resource: "pods" };
/** What the API server answers when a disruption budget forbids an eviction. */
const retryAfterSeconds = 10;

/** The budget that covers a pod. Throws 500 when there are several, as a real server does. */
function budgetOf(context: ApiContext, pod: KubeObject): KubeObject | undefined {
  const [budget, ...more] = context.store
    .list(budgets, pod.metadata.namespace)
    .filter((each) => matchesLabels(each.spec?.selector, pod.metadata.labels));
  if (more.length > 0)
    throw new StatusError(
      500,
      "InternalError",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  return budget;
}

/** Ended, ending and not yet started pods are no disruption; an unready one only while its budget is met. */
function needsNoBudget(pod: KubeObject, budget: KubeObject): boolean {
  if (pod.metadata.deletionTimestamp || ["Succeeded", "Failed", "Pending"].includes(pod.status?.phase))
    return true;
  const ready = (pod.status?.conditions ?? []).some(
    (condition: { type: string; status: string }) =>
      condition.type === "Ready" && condition.status === "True",
  );
  if (ready) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function refusal(budget: KubeObject): StatusError | undefined {
  const { name, generation = 0 } = budget.metadata;
  const {
    observedGeneration = 0,
    disruptionsAllowed = 0,
    desiredHealthy = 0,
    currentHealthy = 0,
  } = budget.status ?? {};
  const why =
    observedGeneration < generation
      ? `The disruption budget ${name} is still being processed by the server.`
      : disruptionsAllowed < 1
        ? `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
        : undefined;
  if (why === undefined) return undefined;
  return new StatusError(
    429,
    "TooManyRequests",
    "Cannot evict pod as it would violate the pod's disruption budget.",
    { retryAfterSeconds, causes: [{ reason: "DisruptionBudget", message: why }] },
  );
}

/** Uses up one disruption at once, before the disruption controller sees the pod go. */
function spend(context: ApiContext, budget: KubeObject, pod: KubeObject): void {
  const { namespace, name } = budget.metadata;
  const less = (fresh: KubeObject): KubeObject => {
    const disruptionsAllowed = (fresh.status?.disruptionsAllowed ?? 1) - 1;
    const disruptedPods = { ...fresh.status?.disruptedPods, [pod.metadata.name]: rfc3339(context.now()) };
    return { ...fresh, status: { ...fresh.status, disruptionsAllowed, disruptedPods } };
  };
  context.store.mutate(budgets, namespace, name, less, { status: true });
}

/** Deletes a pod unless a disruption budget forbids it (429). */
export async function evict(context: ApiContext, call: Call): Promise<Reply> {
  const body = await call.body();
  const pod = requireObject(context, call);
  const sent = isRecord(body) && isRecord(body["deleteOptions"]) ? body["deleteOptions"] : undefined;
  const { options, dryRun } = readDeleteOptions(call.query, sent);
  const budget = budgetOf(context, pod);
  const covered = budget !== undefined && !needsNoBudget(pod, budget);
  const refused = covered ? refusal(budget) : undefined;
  if (refused) throw refused;
  if (covered && !dryRun) spend(context, budget, pod);
  if (!dryRun) context.store.delete(pods, pod.metadata.namespace, pod.metadata.name, options);
  return {
    status: 201,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
  };
}
