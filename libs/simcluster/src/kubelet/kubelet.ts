import type { ContainerRuntime, PodSandbox } from "../machine.ts";
import type { KubeObject } from "../objects.ts";
import { resources } from "../resources.ts";
import type { KubeletContext } from "./context.ts";
import { startHeartbeats } from "./heartbeat.ts";
import { createPodWorker, type PodWorker } from "./pod-worker.ts";

/** The kubelets of all nodes. */
export interface Kubelet {
  /** Ends a container's main process from inside, as a signal does; the pod's restart policy decides what follows. */
  killContainer(sandbox: PodSandbox, container: ContainerRuntime, exitCode: number): void;
}

/** How often the kubelet looks at its containers (the PLEG's relist), ms. */
const relistMs = 1000;

/** Runs every pod that is bound to a node. */
export function startKubelet(ctx: KubeletContext): Kubelet {
  const { store, loop } = ctx;
  const workers = loop.keep(new Map<string, PodWorker>());

  function follow(pod: KubeObject): void {
    const { uid } = pod.metadata;
    if (!pod.spec?.nodeName) return;
    const worker = workers.get(uid);
    if (worker) {
      worker.update(pod);
      return;
    }
    if (pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed") return;
    const created = createPodWorker(
      ctx,
      pod,
      ctx.rng.fork(`pod/${pod.metadata.namespace}/${pod.metadata.name}`),
    );
    workers.set(uid, created);
    if (pod.metadata.deletionTimestamp !== undefined) created.update(pod);
  }

  store.watch(resources.pods, (event) => {
    if (event.type !== "DELETED") return follow(event.object);
    const { uid } = event.object.metadata;
    workers.get(uid)?.removed();
    workers.delete(uid);
  });
  startHeartbeats(ctx);
  loop.every(relistMs, "kubelet.pleg", () => {
    for (const worker of workers.values()) worker.relist();
  });

  return {
    killContainer(sandbox, container, exitCode) {
      workers.get(sandbox.uid)?.containerExited(container, exitCode);
    },
  };
}
