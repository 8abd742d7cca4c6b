import { createDefaulted, type EventRecorder } from "@microremed/sim-component-base";
import { nodeSpecs } from "@microremed/sim-machine";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { type EventLoop, rfc3339 } from "@microremed/sim-time";
import { nodeObject } from "./node-object.ts";
import type { NodePressures } from "./node-pressures.ts";
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
  readonly pressures: NodePressures;
}

export interface Heartbeats {
  /** A kubelet starts: it makes its Node object if there is none and reports at once. */
  beat(node: string): void;
}

/** What kubelets say of themselves: a Lease per node, renewed every 10 s, and the node's conditions. */
export function startHeartbeats(ctx: HeartbeatContext): Heartbeats {
  const { store, loop, events, nodes, pressures } = ctx;
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
    const isShort = pressures.of(node.metadata.name);
    const truth = ({ type }: Condition): string =>
      type === "Ready" || (type === "MemoryPressure" && isShort) ? "True" : "False";
    const wrong = conditions.some((each) => each.status !== truth(each));
    const last = Math.max(0, ...conditions.map((each) => Date.parse(each.lastHeartbeatTime)));
    if (!wrong && loop.now() - last < reportMs) return;
    const written = conditions.map((each) => ({
      ...each,
      lastHeartbeatTime: at,
      ...(each.status !== truth(each) && { ...truthOf(each.type, truth(each)), lastTransitionTime: at }),
    }));
    const status = { ...node.status, conditions: written };
    store.update(resources.nodes, { ...node, status }, { status: true });
    for (const each of conditions) {
      const reason = each.status === truth(each) ? undefined : newsOf(each, truth(each));
      if (reason === undefined) continue;
      const message = `Node ${node.metadata.name} status is now: ${reason}`;
      const source = { component: "kubelet", host: node.metadata.name };
      events.record(source, node, { type: "Normal", reason, message });
    }
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

/** What an event says of a condition that has become so; undefined: there is none. */
function newsOf({ type, status }: Condition, now: string): string | undefined {
  if (type === "Ready") return "NodeReady";
  if (type !== "MemoryPressure") return undefined;
  if (now === "True") return "NodeHasInsufficientMemory";
  return status === "True" ? "NodeHasSufficientMemory" : undefined;
}

function truthOf(type: string, status: string): object {
  if (type === "MemoryPressure" && status === "True")
    return {
      status,
      reason: "KubeletHasInsufficientMemory",
      message: "kubelet has insufficient memory available",
    };
  const healthy: Readonly<Record<string, readonly [reason: string, message: string]>> = {
    Ready: ["KubeletReady", "kubelet is posting ready status"],
    MemoryPressure: ["KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
    DiskPressure: ["KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
    PIDPressure: ["KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  };
  const [reason, message] = healthy[type] ?? ["", ""];
  return { status, ...(reason && { reason, message }) };
}
