import { createInProcessCluster } from "@microremed/cluster/in-process";
import { type CheckedCall, checkEnvironment } from "@microremed/import";
import { createLocalCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

/** Cluster time under load, s: some hundred requests of users are traced. */
const loadSeconds = 1_500;
/** Standard errors. One of a thousand calls, with another seed each time, may be further away than 4. */
const within = 4;
/** Of a caller with fewer requests, or of a rarer call, a sample says nothing. */
const fewestCalls = 10;
/** Figures of the check have two digits. */
const rounding = 0.01;

/** Whether traces agree with what the model declares, by a Poisson error of the number of calls; empty: they do. */
function disagreement({ from, to, declared, measured, requests }: CheckedCall): string[] {
  const expected = declared * requests;
  if (declared === 0 && measured !== null) return [`${from} calls ${to}, which the model does not say`];
  if (expected < fewestCalls) return [];
  if (measured === null) return [`${from} never called ${to} in ${requests} requests`];
  const error = rounding + (within * Math.sqrt(expected)) / requests;
  if (Math.abs(measured - declared) <= error) return [];
  return [`${from} called ${to} ${measured} times per request, declared ${declared}, ${requests} requests`];
}

test.each(catalogue.environments.names)(
  "%s: all is Ready, every path of the load is answered, and traces show the calls of the model",
  async (name) => {
    // Without targets: the contract of environments measures their baselines.
    const environment = { ...catalogue.environments.get(name), targets: [] };
    using api = createLocalCluster({ seed: 1, environments: [environment] });
    await using cluster = createInProcessCluster(api, { name: "check", token: api.adminToken });
    const { signal } = new AbortController();
    const place = { environment, cluster, catalogue, signal, readySeconds: 1_800, loadSeconds };
    const { problem, workloads, journeys, requests, calls } = await checkEnvironment(place);
    expect(problem).toBe("");
    expect(workloads.filter(({ ready, wanted }) => ready < wanted)).toEqual([]);
    expect(journeys.filter(({ answered }) => !answered)).toEqual([]);
    expect(requests?.answered).toBeGreaterThan(0.99);
    expect(calls.flatMap(disagreement)).toEqual([]);
    expect(calls.filter(({ requests: of, measured }) => of > 0 && measured !== null).length).toBeGreaterThan(
      0,
    );
  },
);
