import type { OracleContext, TargetState } from "@microremed/catalogue";
import type { Pod } from "@microremed/cluster";
import { retryable } from "@microremed/core";
import { environments } from "@microremed/environments";
import { aPod } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { reachAlong } from "./reach-along.ts";
import { writeInPods } from "./write-probe.ts";

const environment = environments.get("simple-micro");
const healthy = aPod();
const pod: Pod = { ...healthy, metadata: { ...healthy.metadata, labels: { app: "hello-service" } } };

/** Where every command ends with this error. */
const contextOf = (code: string): OracleContext =>
  ({
    environment,
    namespace: "simple-micro",
    cluster: {
      name: "c",
      clock: { hold: async () => ({ [Symbol.asyncDispose]: async () => {} }) },
      list: async () => [pod],
      exec: () => Promise.reject(retryable(code, "no end")),
    },
  }) as unknown as OracleContext;
const ways = ["hello-service", null].map(
  (from) => ({ from, host: "time-service", port: 5001, how: "http" }) as const,
);
const state = { target: "hello-service", container: "hello-service", pods: [pod] } as unknown as TargetState;

test("requests that never end are not answered, and a write that never ends has failed", async () => {
  const context = contextOf("deadline-exceeded");
  const readings = await reachAlong(context, [pod], ways);
  expect(readings.map(({ answered }) => answered)).toEqual([null, null]);
  expect(await writeInPods(context, state)).toMatchObject([
    { exitCode: 124, seconds: [180], error: "no end" },
  ]);
});

test("a cluster that is away is the harness's trouble", async () => {
  const context = contextOf("cluster-unreachable");
  await expect(reachAlong(context, [pod], ways)).rejects.toMatchObject({ code: "cluster-unreachable" });
  await expect(writeInPods(context, state)).rejects.toMatchObject({ code: "cluster-unreachable" });
});
