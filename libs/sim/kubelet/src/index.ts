export type { KubeletContext } from "./context.ts";
export { createImageCatalog } from "./image-catalog.ts";
export { createIpPool } from "./ip-pool.ts";
export { type Kubelet, startKubelet } from "./kubelet.ts";
export { nodeObject } from "./node-object.ts";
export { createNodeStates, type NodeState, nodeStates, whyUnreachable } from "./node-states.ts";
export { createRunCommand, type RunCommand } from "./run-command.ts";
export { type StaticPod, startStaticPods } from "./static-pods.ts";
