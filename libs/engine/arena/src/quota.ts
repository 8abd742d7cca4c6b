import type { Manifest } from "@microremed/catalogue";
import { declaredObjects } from "@microremed/catalogue";
import { isRefused, type KubeObject } from "@microremed/cluster";
import type { ArenaContext } from "./arena.ts";

/** A name that quotas of many clusters have: it says nothing of the harness. */
const quotaName = "object-counts";

/** What an arena has room for beside its environment, by the names of a ResourceQuota. */
const room: Readonly<Record<string, number>> = {
  pods: 300,
  configmaps: 100,
  secrets: 100,
  services: 100,
  persistentvolumeclaims: 100,
  replicationcontrollers: 20,
  "count/deployments.apps": 100,
  "count/replicasets.apps": 500,
  "count/statefulsets.apps": 50,
  "count/daemonsets.apps": 20,
  "count/controllerrevisions.apps": 500,
  "count/jobs.batch": 200,
  "count/cronjobs.batch": 20,
  "count/horizontalpodautoscalers.autoscaling": 50,
  "count/poddisruptionbudgets.policy": 50,
  "count/networkpolicies.networking.k8s.io": 100,
  "count/ingresses.networking.k8s.io": 50,
};
/** Deployments keep ten old ReplicaSets, StatefulSets and DaemonSets ten revisions. */
const REVISIONS = 11;
/** For a second set of everything: what replaces a thing is there before the thing has gone. */
const SPARE = 2;
/** A cluster's controller counts what was deleted a little later; cluster time, ms. */
const countedWithinMs = 30_000;
/** Between two tries; cluster time, ms. */
const countedEveryMs = 1_000;

/** The quota of an arena that holds these manifests. */
export function quotaOf(manifests: readonly Manifest[], namespace: string): KubeObject {
  const needed: Record<string, number> = {};
  const need = (name: string, count: number): void => {
    needed[name] = (needed[name] ?? 0) + count;
  };
  for (const { kind, ...rest } of manifests) {
    const { replicas = 1 } = (rest["spec"] ?? {}) as { replicas?: number };
    const workload = workloadKinds[kind];
    if (workload) {
      need("pods", replicas);
      need(workload.revisions, REVISIONS);
    }
    need(workload?.name ?? otherKinds[kind] ?? kind, 1);
  }
  const hard = Object.entries(room).map(([name, free]) => [name, String(free + SPARE * (needed[name] ?? 0))]);
  return {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: quotaName, namespace },
    spec: { hard: Object.fromEntries(hard) },
  };
}

const workloadKinds: Readonly<Record<string, { readonly name: string; readonly revisions: string }>> = {
  Deployment: { name: "count/deployments.apps", revisions: "count/replicasets.apps" },
  StatefulSet: { name: "count/statefulsets.apps", revisions: "count/controllerrevisions.apps" },
  DaemonSet: { name: "count/daemonsets.apps", revisions: "count/controllerrevisions.apps" },
};
const otherKinds: Readonly<Record<string, string>> = {
  ConfigMap: "configmaps",
  Secret: "secrets",
  Service: "services",
  PersistentVolumeClaim: "persistentvolumeclaims",
  Pod: "pods",
  Job: "count/jobs.batch",
  CronJob: "count/cronjobs.batch",
  HorizontalPodAutoscaler: "count/horizontalpodautoscalers.autoscaling",
  PodDisruptionBudget: "count/poddisruptionbudgets.policy",
  NetworkPolicy: "count/networkpolicies.networking.k8s.io",
  Ingress: "count/ingresses.networking.k8s.io",
};

/** Bounds what an agent may make in its arena, which may read quotas and not change them. */
export async function applyQuota({
  cluster,
  namespace,
  environment,
  assertLease,
}: ArenaContext): Promise<void> {
  await assertLease();
  await cluster.apply(quotaOf(declaredObjects(environment, { namespace }), namespace));
}

/**
 * Writes what belongs to the arena. Where an agent had used its quota up, the room of what was just deleted is waited for.
 * Throws what `write` throws when there is none in time, and the signal's reason.
 */
export async function whenQuotaAllows<T>(
  { cluster, signal }: ArenaContext,
  write: () => Promise<T>,
): Promise<T> {
  for (let left = countedWithinMs; ; left -= countedEveryMs) {
    try {
      return await write();
    } catch (error) {
      const isFull = isRefused(error, 403) && String(error).includes("exceeded quota");
      if (!isFull || left <= 0) throw error;
      await cluster.clock.sleep(countedEveryMs, signal);
    }
  }
}
