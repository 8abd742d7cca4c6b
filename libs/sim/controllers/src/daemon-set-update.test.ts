import { testGoldens } from "@microremed/sim-objects/testing";
import { type DaemonSetState, daemonSetUpdate } from "./daemon-set-update.ts";

testGoldens<DaemonSetState>(import.meta.url, "daemon-set-update", (state, now) => {
  const { replace, ...rest } = daemonSetUpdate(state, now);
  return { replace: replace.map((pod) => pod.metadata.name), ...rest };
});
