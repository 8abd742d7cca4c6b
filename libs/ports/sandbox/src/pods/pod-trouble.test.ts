import type { Pod } from "@microremed/cluster";
import { expect, test } from "vitest";
import { endOfPod, troubleOf } from "./pod-trouble.ts";

const pod = (status: object, metadata: object = {}): Pod => ({
  metadata: { name: "run-1", ...metadata },
  status: status as NonNullable<Pod["status"]>,
});
const containers = (...ended: object[]) => ({ containerStatuses: ended });
const terminated = (name: string, reason: string) => ({
  name,
  state: { terminated: { reason, exitCode: 137 } },
});

test.each([
  ["it runs", pod(containers({ name: "run", state: { running: {} } })), undefined],
  ["it has used too much memory", pod(containers(terminated("run", "OOMKilled"))), "exhausted"],
  [
    "it has used too much disk",
    pod({ phase: "Failed", reason: "Evicted", message: "exceeds the limit of containers 16Mi" }),
    "exhausted",
  ],
  [
    "its node has too little of something",
    pod({
      phase: "Failed",
      reason: "Evicted",
      message: "The node was low on resource: memory",
      conditions: [{ type: "DisruptionTarget", status: "True" }],
    }),
    "lost",
  ],
  ["its deadline has passed", pod({ phase: "Failed", reason: "DeadlineExceeded" }), "late"],
  ["its gateway has used too much memory", pod(containers(terminated("gateway", "OOMKilled"))), "lost"],
  ["a container has ended", pod(containers(terminated("run", "Error"))), "lost"],
  ["it is being deleted", pod({}, { deletionTimestamp: "2026-01-01T00:00:00Z" }), "lost"],
  ["its node has shut down", pod({ phase: "Failed", reason: "NodeShutdown" }), "lost"],
  ["it is gone", undefined, "lost"],
] as const)("%s", (_what, seen, how) => {
  expect(endOfPod(seen)?.how).toBe(how);
});

test("why a pod does not start is said in the cluster's words", () => {
  const waiting = { reason: "ErrImagePull", message: "not found" };
  expect(troubleOf(pod(containers({ name: "run", state: { waiting } })))).toBe(
    "container run: ErrImagePull: not found",
  );
  const unscheduled = { type: "PodScheduled", status: "False", message: "0/1 nodes are available" };
  expect(troubleOf(pod({ phase: "Pending", conditions: [unscheduled] }))).toBe("0/1 nodes are available");
  expect(troubleOf(pod({ phase: "Pending" }))).toBe("its phase is Pending");
});
