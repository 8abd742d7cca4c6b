export { installAddons } from "./addons.ts";
export { baseImages } from "./images.ts";
export { whyImpossible } from "./impossible.ts";
export { type KubernetesVersion, kubernetesVersions } from "./pins.ts";
export { type RealCluster, startRealCluster } from "./real-cluster.ts";
