import { controllerOf } from "@microremed/sim-component-base";
import {
  type HostPort,
  hostPortsOf,
  isFinished,
  type KubeObject,
  type NodeUse,
  podRequests,
  type Requests,
} from "@microremed/sim-objects";
import type { EventLoop } from "@microremed/sim-time";
import { priorityOf } from "./preemption.ts";

interface Bound extends Requests {
  readonly node: string;
  readonly owner: string;
  readonly hostPorts: readonly HostPort[];
}

/** Room that a pod was promised on a node whose pods are being evicted for it. */
interface Promised extends Requests {
  readonly node: string;
  readonly priority: number;
  readonly hostPorts: readonly HostPort[];
}

/** What is taken on a node, as one pod sees it. */
export interface UseForPod extends NodeUse {
  /** Pods of the same controller. */
  readonly siblings: number;
}

/** Which pods take room on which nodes. */
export interface Placements {
  /** Takes a change of a pod in; returns whether room became free. */
  follow(pod: KubeObject, gone: boolean): boolean;
  /** With what was promised to no less important pods; `without`: uids of pods to leave out. */
  useOf(node: KubeObject, pod: KubeObject, without?: ReadonlySet<string>): UseForPod;
  /** Some pod keeps others away from its node or zone. */
  anyKeepsAway(): boolean;
  /** Room is being made for some pod. */
  anyPromised(): boolean;
  promise(pod: KubeObject, node: string): void;
  withdraw(pod: KubeObject): void;
}

const noPods: ReadonlySet<string> = new Set();

const ownerOf = (pod: KubeObject): string => controllerOf(pod)?.uid ?? pod.metadata.uid;

export function createPlacements(loop: Pick<EventLoop, "keep">): Placements {
  /** Uids of pods with anti-affinity. */
  const keepsAway = loop.keep(new Set<string>());
  const bound = loop.keep(new Map<string, Bound>());
  /** By the uid of the pod that waits for it. */
  const promised = loop.keep(new Map<string, Promised>());

  return {
    follow(pod, gone) {
      const { uid } = pod.metadata;
      if (gone || isFinished(pod)) keepsAway.delete(uid);
      else if (pod.spec?.affinity?.podAntiAffinity) keepsAway.add(uid);
      const node: string | undefined = pod.spec?.nodeName;
      if (node || gone) promised.delete(uid);
      if (!node || gone || isFinished(pod)) return bound.delete(uid);
      if (!bound.has(uid))
        bound.set(uid, { node, ...podRequests(pod), owner: ownerOf(pod), hostPorts: hostPortsOf(pod) });
      return false;
    },
    useOf(node, pod, without = noPods) {
      const owner = ownerOf(pod);
      const priority = priorityOf(pod);
      const taken: HostPort[] = [];
      const use = { cpu: 0, memory: 0, pods: 0, siblings: 0, hostPorts: taken };
      const add = ({ cpu, memory, hostPorts }: Requests & Pick<Bound, "hostPorts">): void => {
        taken.push(...hostPorts);
        use.cpu += cpu;
        use.memory += memory;
        use.pods += 1;
      };
      for (const [uid, each] of promised) {
        if (uid === pod.metadata.uid || each.node !== node.metadata.name) continue;
        if (each.priority >= priority) add(each);
      }
      for (const [uid, each] of bound) {
        if (each.node !== node.metadata.name || without.has(uid)) continue;
        add(each);
        if (each.owner === owner) use.siblings += 1;
      }
      return use;
    },
    anyKeepsAway: () => keepsAway.size > 0,
    anyPromised: () => promised.size > 0,
    promise(pod, node) {
      promised.set(pod.metadata.uid, {
        ...podRequests(pod),
        node,
        priority: priorityOf(pod),
        hostPorts: hostPortsOf(pod),
      });
    },
    withdraw(pod) {
      promised.delete(pod.metadata.uid);
    },
  };
}
