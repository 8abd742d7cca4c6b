import type { ArenaState } from "@microremed/catalogue";
import { environments } from "@microremed/environments";
import { aPod, aWorkload } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { judgeNeighbours } from "./index.ts";

const environment = environments.get("simple-micro");

function arena(replicas: number | undefined, ready = true): ArenaState {
  const pod = aPod({ ready });
  return {
    at: 0,
    workloads: new Map(replicas === undefined ? [] : [["time-service", aWorkload(replicas)]]),
    pods: [{ ...pod, metadata: { ...pod.metadata, labels: { app: "time-service" } } }],
  };
}

const judge = (state: ArenaState) => judgeNeighbours(environment, "hello-service", state);

test("passes when every other workload is whole; more replicas do no harm", () => {
  expect(judge(arena(1)).passed).toBe(true);
  expect(judge(arena(3)).passed).toBe(true);
});

test("deleting, scaling away or breaking another service is no recovery", () => {
  expect(judge(arena(undefined)).reason).toMatch(/time-service does not exist/);
  expect(judge(arena(0)).reason).toMatch(/scaled to 0/);
  expect(judge(arena(1, false)).reason).toMatch(/0 of 1 pods of time-service are Ready/);
});

test("the target is left to its own oracles", () => {
  expect(judgeNeighbours(environment, "time-service", arena(undefined)).reason).not.toMatch(/time-service/);
});

test("a rollout that cannot end leaves a workload that is not whole", () => {
  const [pod] = arena(1).pods;
  const stuck = (counts: object): ArenaState => ({
    at: 0,
    workloads: new Map([["time-service", aWorkload(1, counts)]]),
    pods: pod ? [pod] : [],
  });
  expect(judge(stuck({})).passed).toBe(true);
  expect(judge(stuck({ updatedReplicas: 0 })).reason).toMatch(/0 of 1 replicas of time-service are updated/);
  expect(judge(stuck({ availableReplicas: 0 })).reason).toMatch(/0 of 1 replicas .* are available/);
  expect(judge(stuck({ replicas: 2 })).reason).toMatch(
    /time-service has 2 replicas, old ones included, not 1/,
  );
  expect(judge(stuck({ observedGeneration: 2 })).reason).toMatch(/not yet seen the newest spec/);
});
