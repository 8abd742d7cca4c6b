import type * as Rules from "@microremed/kube-rules";
import { type Policy, type PolicyPort, policyOf, refusedWay } from "@microremed/kube-rules";
import type { PodSandbox } from "@microremed/sim-machine";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";

type PolicyPod = Pick<PodSandbox, "uid" | "namespace" | "name" | "labels" | "ip" | "hostNetwork">;

/** One end of a connection: a pod, or an address outside the pod network. */
export type PolicyEnd = Rules.PolicyEnd<PolicyPod>;

/** Where the cluster's name server runs, as far as policies are concerned. */
const nameServer: PolicyPod = {
  uid: "kube-dns",
  namespace: "kube-system",
  name: "coredns",
  labels: { "k8s-app": "kube-dns" },
  ip: "10.244.1.1",
  hostNetwork: false,
};

/** A client out on the Internet (TEST-NET-1). */
export const outsideClient: PolicyEnd = { ip: "192.0.2.10" };

/** What the network plugin enforces of the NetworkPolicies. */
export interface NetworkPolicies {
  /** Grows when an answer may have changed. */
  readonly revision: number;
  /** Whether a connection may be opened. What comes from the pod's own node (the kubelet's probes) is not to be asked. */
  admits(from: PolicyEnd, to: PolicyEnd, port: PolicyPort): boolean;
  /** Whether a pod's questions reach the name server. */
  admitsDns(from: PolicyEnd): boolean;
}

const sameLabels = (a: KubeObject | undefined, b: KubeObject): boolean =>
  JSON.stringify(a?.metadata.labels) === JSON.stringify(b.metadata.labels);

/** Follows a store's NetworkPolicies and the labels that they select by. */
export function createNetworkPolicies(
  store: Store,
  { keep }: Pick<EventLoop, "keep">,
): NetworkPolicies & Disposable {
  const present = keep<{ revision: number; policies: readonly Policy[] | undefined }>({
    revision: 0,
    policies: undefined,
  });
  const changed = (): void => {
    present.revision++;
    present.policies = undefined;
  };
  const stops = [
    store.watch(resources.networkPolicies, changed),
    ...[resources.namespaces, resources.pods].map((ref) =>
      store.watch(ref, (event) => {
        const known = event.type === "DELETED" ? event.object : event.previous;
        if (policies().length > 0 && known && !sameLabels(known, event.object)) changed();
      }),
    ),
  ];

  function policies(): readonly Policy[] {
    present.policies ??= store
      .list(resources.networkPolicies)
      .map(({ metadata, spec }) => policyOf(metadata.namespace ?? "", spec));
    return present.policies;
  }

  const cluster: Rules.PolicyCluster<PolicyPod> = {
    policies,
    labelsOf: (namespace) => store.get(resources.namespaces, undefined, namespace)?.metadata.labels,
    portOf: ({ namespace, name }, port) => {
      const containers: readonly { ports?: readonly { name?: string; containerPort: number }[] }[] =
        store.get(resources.pods, namespace, name)?.spec.containers ?? [];
      const named = containers.flatMap(({ ports = [] }) => ports).find((one) => one.name === port);
      return named?.containerPort;
    },
  };

  const admits = (from: PolicyEnd, to: PolicyEnd, port: PolicyPort): boolean =>
    policies().length === 0 || from === to || refusedWay(cluster, from, to, port) === undefined;

  return {
    get revision() {
      return present.revision;
    },
    admits,
    admitsDns: (from) => admits(from, nameServer, { protocol: "UDP", port: 53 }),
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}
