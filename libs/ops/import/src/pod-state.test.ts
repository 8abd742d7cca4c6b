import type { Cluster, Pod } from "@microremed/cluster";
import { expect, test } from "vitest";
import { reasonOf } from "./pod-state.ts";

test("a container that waits to be started again is shown with how it ended", async () => {
  const message = "Back-off restarting failed container api";
  const cluster = { list: async () => [{ metadata: { name: "e" }, type: "Warning", message }] };
  const status = {
    name: "api",
    state: { waiting: { reason: "CrashLoopBackOff" } },
    lastState: { terminated: { reason: "OOMKilled", exitCode: 137 } },
  };
  const pod: Pod = { metadata: { name: "api-1" }, status: { containerStatuses: [status] } };
  expect(await reasonOf(cluster as unknown as Cluster, "shop", pod)).toBe(
    `api: CrashLoopBackOff (ended with code 137, OOMKilled); ${message}`,
  );
});
