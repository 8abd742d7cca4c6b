import type { Logger } from "@microremed/core";
import type { ApiServerDeps } from "@microremed/sim-apiserver";
import { chaosResources } from "@microremed/sim-chaos-mesh";
import { whyUnreachable } from "@microremed/sim-kubelet";
import { createForwardPort } from "@microremed/sim-network";
import type { World } from "./world.ts";

/** What an API server over a world works with. */
export function apiDepsOf(world: World, log: Logger): ApiServerDeps {
  const { loop, store, tokens, machine, network, metrics, exec, logs, proxy } = world;
  return {
    store,
    tokens,
    now: loop.now,
    metrics,
    exec,
    forwardPort: createForwardPort({ loop, machine, network }),
    proxy,
    logs,
    terminal: ({ namespace, pod, container }) =>
      machine.byPod(namespace, pod)?.containers.get(container)?.terminal,
    unreachable: (node) => whyUnreachable(node, world.kubelet.nodes.of(node)),
    log,
    admission: [world.chaos.admission, world.webhooks],
    installed: chaosResources,
  };
}
