import type { RunnerSettings } from "../pods/runner-settings.ts";

/** Few small pods, whose network is tried. */
export const runnerSettings: RunnerSettings = {
  namespace: "runners",
  image: "busybox:1.36",
  owner: "test",
  warm: 1,
  most: 4,
  cpu: "1",
  memory: "1Gi",
  tolerations: [],
  nodeSelector: {},
  imagePullSecrets: [],
  network: "enforced",
  unreachable: [],
};
