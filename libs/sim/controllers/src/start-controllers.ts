import type { ControllerContext } from "@microremed/sim-component-base";
import type { MetricsProvider } from "@microremed/sim-objects";
import { startCronJobController } from "./cron-job.ts";
import { startCustomResourceController } from "./custom-resources.ts";
import { startDaemonSetController } from "./daemon-set.ts";
import { startDeploymentController } from "./deployment.ts";
import { startDisruptionController } from "./disruption.ts";
import { startEndpointSliceMirroring } from "./endpoint-slice-mirroring.ts";
import { startEndpointsController } from "./endpoints.ts";
import { startGarbageCollector } from "./garbage-collector.ts";
import { startAutoscaler } from "./horizontal-pod-autoscaler.ts";
import { startJobController } from "./job.ts";
import { startNamespaceController } from "./namespace.ts";
import { startNodeController } from "./node-lifecycle.ts";
import { startNodeMonitor } from "./node-monitor.ts";
import { startPodCollector } from "./pod-collector.ts";
import { startReplicaSetController, startReplicationController } from "./replica-set.ts";
import { startResourceQuotaController } from "./resource-quota.ts";
import { startStatefulSetController } from "./stateful-set.ts";
import { startTaintEviction } from "./taint-eviction.ts";
import { type IssueSecretToken, startTokenSecretController } from "./token-secrets.ts";
import { startVolumeClaimController } from "./volume-claims.ts";

/** The kube-controller-manager: everything that follows the store from now on and keeps workloads as wished. */
export function startControllers(
  ctx: ControllerContext,
  caPem: () => string,
  metrics: MetricsProvider,
  issueSecretToken?: IssueSecretToken,
): void {
  startNamespaceController(ctx, caPem);
  startGarbageCollector(ctx);
  startCustomResourceController(ctx);
  startResourceQuotaController(ctx);
  startDeploymentController(ctx);
  startReplicaSetController(ctx);
  startReplicationController(ctx);
  startStatefulSetController(ctx);
  startDaemonSetController(ctx);
  startJobController(ctx);
  startCronJobController(ctx);
  startEndpointsController(ctx);
  startEndpointSliceMirroring(ctx);
  startVolumeClaimController(ctx);
  startNodeController(ctx);
  startNodeMonitor(ctx);
  startPodCollector(ctx);
  startTaintEviction(ctx);
  startDisruptionController(ctx);
  startAutoscaler(ctx, metrics);
  if (issueSecretToken) startTokenSecretController(ctx, caPem, issueSecretToken);
}
