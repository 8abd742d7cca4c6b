import { createDefaulted, type EventRecorder } from "@microremed/sim-component-base";
import { nodeSpecs } from "@microremed/sim-machine";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { type EventLoop, rfc3339 } from "@microremed/sim-time";
import { nodeObject } from "./node-object.ts";
import type { NodeStates } from "./node-states.ts";

const leaseNamespace = "kube-node-lease";
/** The kubelet's nodeLeaseDurationSeconds. */
const leaseSeconds = 40;
/** How often a kubelet renews its lease and checks its node's status, ms. */
const renewMs = 10_000;
/** How often it writes an unchanged status, ms. */
const reportMs = 300_000;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastHeartbeatTime: string;
}

interface HeartbeatContext {
  readonly store: Store;
  readonly loop: EventLoop;
  readonly events: EventRecorder;
  readonly nodes: NodeStates;
}

export interface Heartbeats {
  /** A kubelet starts: it makes its Node object if there is none and reports at once. */
  beat(node: string): void;
}

/** What kubelets say of themselves: a Lease per node, renewed every 10 s, and the node's conditions. */
export function startHeartbeats(ctx: HeartbeatContext): Heartbeats {
  const { store, loop, events, nodes } = ctx;
  const micro = (at: number): string => new Date(at).toISOString().replace("Z", "000Z");

  function renew(node: KubeObject): void {
    const { name, uid } = node.metadata;
    const renewTime = micro(loop.now());
    const old = store.get(resources.leases, leaseNamespace, name);
    if (old) {
      store.update(resources.leases, { ...old, spec: { ...old.spec, renewTime } });
      return;
    }
    store.create(resources.leases, {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: {
        name,
        namespace: leaseNamespace,
        ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
      },
      spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime },
    });
  }

  /** Conditions that another client wrote do not last: the kubelet overwrites them. */
  function report(node: KubeObject): void {
    const at = rfc3339(loop.now());
    const conditions = (node.status?.conditions ?? []) as readonly Condition[];
    const truth = ({ type }: Condition): string => (type === "Ready" ? "True" : "False");
    const wrong = conditions.some((each) => each.status !== truth(each));
    const last = Math.max(0, ...conditions.map((each) => Date.parse(each.lastHeartbeatTime)));
    if (!wrong && loop.now() - last < reportMs) return;
    const written = conditions.map((each) => ({
      ...each,
      lastHeartbeatTime: at,
      ...(each.status !== truth(each) && { ...truthOf(each.type), lastTransitionTime: at }),
    }));
    const status = { ...node.status, conditions: written };
    store.update(resources.nodes, { ...node, status }, { status: true });
    if (!conditions.some(({ type, status }) => type === "Ready" && status !== "True")) return;
    const message = `Node ${node.metadata.name} status is now: NodeReady`;
    const source = { component: "kubelet", host: node.metadata.name };
    events.record(source, node, { type: "Normal", reason: "NodeReady", message });
  }

  function beat(name: string): void {
    const node = store.get(resources.nodes, undefined, name);
    if (!node || nodes.of(name) !== "running") return;
    renew(node);
    report(node);
  }

  loop.every(renewMs, "kubelet.heartbeat", () => {
    for (const { name } of nodeSpecs) beat(name);
  });
  return {
    beat(name) {
      const object = nodeObject(name, loop.now());
      if (object && !store.get(resources.nodes, undefined, name))
        createDefaulted(store, resources.nodes, object);
      beat(name);
    },
  };
}

function truthOf(type: string): object {
  const healthy: Readonly<Record<string, readonly [reason: string, message: string]>> = {
    Ready: ["KubeletReady", "kubelet is posting ready status"],
    MemoryPressure: ["KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
    DiskPressure: ["KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
    PIDPressure: ["KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  };
  const [reason, message] = healthy[type] ?? ["", ""];
  return { status: type === "Ready" ? "True" : "False", ...(reason && { reason, message }) };
}
