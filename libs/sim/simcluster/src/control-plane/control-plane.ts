import type { Logger, Rng } from "@microremed/core";
import type { Environment } from "@microremed/environments";
import { seedCluster } from "@microremed/sim-apiserver";
import { chaosResources } from "@microremed/sim-chaos-mesh";
import {
  createEventRecorder,
  createManagedStore,
  createOwnerIndex,
  type EventRecorder,
} from "@microremed/sim-component-base";
import { type IssueSecretToken, startControllers } from "@microremed/sim-controllers";
import type { AdmissionHook } from "@microremed/sim-kinds";
import {
  createImageCatalog,
  createIpPool,
  createNodeStates,
  type Kubelet,
  type KubeletContext,
  type RunCommand,
  startKubelet,
} from "@microremed/sim-kubelet";
import { type Machine, type Network, nodeSpecs, type RunMainScript } from "@microremed/sim-machine";
import { type MetricsProvider, type ResourceRef, resources } from "@microremed/sim-objects";
import { startScheduler } from "@microremed/sim-scheduler";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";
import { createDefaultObjects } from "./default-objects.ts";

export interface ControlPlaneDeps {
  readonly store: Store;
  readonly loop: EventLoop;
  readonly rng: Rng;
  readonly log: Logger;
  readonly machine: Machine;
  readonly network: Network;
  readonly environments: readonly Environment[];
  /** Whether nodes can pull images that no environment and no list has. */
  readonly otherImages?: boolean;
  readonly allResources?: readonly ResourceRef[];
  /** Runs commands of containers that no environment knows; without it they only take their time. */
  readonly runCommand?: RunCommand;
  readonly runMainScript?: RunMainScript;
  readonly metrics?: MetricsProvider;
  /** What is asked about the objects that controllers create; absent: nothing. */
  readonly webhooks?: AdmissionHook;
  /** Tokens for pods; without it token files stay away. */
  readonly issueToken?: KubeletContext["issueToken"];
  /** Tokens for Secrets of service accounts; without it they stay empty. */
  readonly issueSecretToken?: IssueSecretToken;
  /** The cluster's CA certificate, for kube-root-ca.crt. */
  readonly caPem?: () => string;
}

const noMetrics: MetricsProvider = { pods: () => [], nodes: () => [] };

export interface ControlPlane {
  readonly kubelet: Kubelet;
  readonly events: EventRecorder;
}

/** Controllers, scheduler and kubelets over a store, with the objects that every new cluster has. */
export function startControlPlane(deps: ControlPlaneDeps): ControlPlane {
  const { store, loop, rng, log, machine, network, environments } = deps;
  const allResources = deps.allResources ?? Object.values(resources);
  const events = createEventRecorder({ store, loop });
  const podsByOwner = createOwnerIndex({ store, loop }, resources.pods);
  const writtenBy = (manager: string): Store => createManagedStore(store, manager, loop.now);
  const shared = { loop, rng: rng.fork("controllers"), log, events, allResources, podsByOwner };
  const ctx = { ...shared, store: writtenBy("kube-controller-manager"), webhooks: deps.webhooks };
  const node = (name: string) => nodeSpecs.find((spec) => spec.name === name);
  startControllers(ctx, deps.caPem ?? (() => ""), deps.metrics ?? noMetrics, deps.issueSecretToken);
  // Bindings have no field manager: the API server writes what follows from them.
  startScheduler({ ...shared, store, statusStore: writtenBy("kube-scheduler") });
  const kubelet = startKubelet({
    store: writtenBy("kubelet"),
    loop,
    rng: rng.fork("kubelet"),
    log,
    events,
    machine,
    network,
    images: createImageCatalog(environments, { others: deps.otherImages ?? false }),
    ips: createIpPool(loop, (name) => node(name)?.podPrefix ?? "10.244.254"),
    nodes: createNodeStates(loop),
    pulled: loop.keep(new Set()),
    volumes: loop.keep(new Map()),
    runCommand: deps.runCommand,
    runMainScript: deps.runMainScript,
    issueToken: deps.issueToken,
    hostIp: (name) => node(name)?.ip ?? "192.168.10.254",
  });
  seedCluster(store, loop.now, chaosResources);
  createDefaultObjects(store, loop);
  return { kubelet, events };
}
