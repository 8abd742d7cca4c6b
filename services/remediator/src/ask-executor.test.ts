import { retryable, terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { askExecutor } from "./ask-executor.ts";

const request = {
  episodeId: "exp-1.0003",
  arena: { cluster: "sim-0", slot: 0, namespace: "shop-1", fence: 4 },
  probe: { kind: "command" as const, command: "kubectl get pods" },
  timeoutSeconds: 10,
};
const { signal } = new AbortController();

/** A bus whose requests fail with these errors in order, and then succeed. */
function aBus(...failures: readonly Error[]) {
  const asked: string[] = [];
  return {
    asked,
    request: async <T>(subject: string): Promise<T> => {
      const failure = failures[asked.length];
      asked.push(subject);
      if (failure) throw failure;
      return { status: "ok", exitCode: 0, output: "" } as T;
    },
  };
}

const unserved = retryable("bus-unreachable", "no executor serves it");

test("asks the executors of the arena's cluster, again when none is there yet", async () => {
  const bus = aBus(unserved);
  expect(await askExecutor(bus, request, signal, { firstWaitMs: 1 })).toMatchObject({ status: "ok" });
  expect(bus.asked).toEqual(["microremed.rpc.probe.sim-0", "microremed.rpc.probe.sim-0"]);
});

test("says executor-unavailable when none comes", async () => {
  const bus = aBus(unserved, unserved, unserved);
  await expect(askExecutor(bus, request, signal, { firstWaitMs: 1 })).rejects.toMatchObject({
    code: "executor-unavailable",
    severity: "retryable",
    message: expect.stringContaining("sim-0"),
  });
});

test("an executor's own error is passed on", async () => {
  const bus = aBus(terminal("unknown-cluster", "no cluster sim-0"));
  await expect(askExecutor(bus, request, signal, { firstWaitMs: 1 })).rejects.toMatchObject({
    code: "unknown-cluster",
  });
  expect(bus.asked).toHaveLength(1);
});
