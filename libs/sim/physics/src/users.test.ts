import { type Environment, environments, LoadSpec } from "@microremed/environments";
import { expect, test } from "vitest";
import { createTestbed, namespace } from "./testing/testbed.ts";

const hotel = environments.get("hotel-reservation");
/** The system with another load: a few keys of `workload.yaml`. */
const withLoad = (fields: object) => ({
  ...hotel,
  load: LoadSpec.parse({ entry: "frontend:5000", ...fields }),
});
/** The system with a version of its search that has a defect. */
function withVersion(environment: Environment, effect: object): Environment {
  const search = environment.workloads["search"];
  const [container] = search?.containers ?? [];
  if (!search || !container) throw new Error("the system has no search");
  const behaviour = {
    ...container.behaviour,
    versions: { "search:bad": { calls: [], requests: [], ...effect } },
  };
  const containers = [{ ...container, behaviour, image: "search:bad" }];
  return { ...environment, workloads: { ...environment.workloads, search: { ...search, containers } } };
}
const atEntry = (testbed: ReturnType<typeof createTestbed>) =>
  testbed.physics.edges(namespace).find(({ from }) => from === "outside");
/** Requests per second that arrive from outside, on average. */
function rateOver(testbed: ReturnType<typeof createTestbed>, seconds: number): number {
  let sum = 0;
  for (let second = 0; second < seconds; second += 1) {
    testbed.run(1);
    sum += atEntry(testbed)?.requestsPerSecond ?? 0;
  }
  return sum / seconds;
}

const steps = [
  { path: "/hotels", expect: { content: "Feature" } },
  { path: "/recommendations" },
  { method: "POST", path: "/reservation", body: "a=1" },
];
const journeys = [{ name: "book", steps }];

test("users of a closed loop wait for their answers: slow ones are asked for less", () => {
  using testbed = createTestbed(withLoad({ users: 30, thinkSeconds: [1, 3], journeys }));
  // 30 users, one request each 2 s and what the answer takes.
  expect(rateOver(testbed, 300)).toBeCloseTo(15, 0);
  const { sessions, right, wrong, failed } = testbed.physics.users.tally(namespace);
  expect(right / sessions).toBeCloseTo(steps.length, 1);
  expect([wrong, failed]).toEqual([0, 0]);
  // Two seconds more of six that a session takes.
  using slow = createTestbed(
    withVersion(withLoad({ users: 30, thinkSeconds: [1, 3], journeys }), { delayMs: 2000 }),
  );
  expect(rateOver(slow, 300)).toBeCloseTo((30 * 3) / 8, 0);
});

test("in an open loop sessions come however their answers are, and a failure ends one", () => {
  using testbed = createTestbed(withLoad({ requestsPerSecond: 30, thinkSeconds: [1, 3], journeys }));
  expect(rateOver(testbed, 300)).toBeCloseTo(30, -1);
  testbed.notReady.add("frontend");
  testbed.restart("user");
  // Ten sessions a second come still; none gets beyond its first step.
  testbed.run(10);
  const before = testbed.physics.users.tally(namespace);
  expect(rateOver(testbed, 200)).toBeCloseTo(10, -1);
  const after = testbed.physics.users.tally(namespace);
  expect(after.right).toBe(before.right);
  expect(after.failed - before.failed).toBe(after.sessions - before.sessions);
});

test("the same users come from the same seed", () => {
  const rates = () => {
    using testbed = createTestbed(withLoad({ requestsPerSecond: 30, thinkSeconds: [1, 3], journeys }));
    return Array.from({ length: 30 }, () => rateOver(testbed, 1));
  };
  expect(rates()).toEqual(rates());
});

test("a recorded load is sent as it was, its paths too, and begins again at its end", () => {
  const rows = [0.1, 0.5, 2, 2.2, 2.3].map((at, index) => ({ at, path: index < 2 ? "/user" : "/hotels" }));
  const requests = [
    { path: "/hotels", share: 1 },
    { path: "/user", share: 1 },
  ];
  using testbed = createTestbed(withLoad({ requests, replay: { rows } }));
  const seen = Array.from({ length: 6 }, () => {
    const rate = rateOver(testbed, 1);
    const calls = testbed.physics.edges(namespace).filter(({ from }) => from === "frontend");
    return [rate, calls.find(({ to }) => to === "user")?.requestsPerSecond];
  });
  expect(seen).toEqual([
    [0, 0],
    [3, 0],
    [2, 2],
    [0, 0],
    [3, 0],
    [2, 2],
  ]);
});

test("what a version answers wrongly is answered without an error, by its callers too", () => {
  const load = withLoad({ users: 50, thinkSeconds: [1, 2], journeys });
  using testbed = createTestbed(withVersion(load, { wrong: 0.5 }));
  testbed.run(120);
  const { right, wrong, failed } = testbed.physics.users.tally(namespace);
  // Half of the searches are wrong, which ends the session: of 1 + 0.5 + 0.5 answers half a one.
  expect(wrong / (right + wrong)).toBeCloseTo(0.25, 1);
  expect(failed).toBe(0);
  const { ip } = testbed.pod("frontend");
  const bodies = Array.from({ length: 40 }, () => testbed.network.httpGet("node", ip, 5000, "/hotels", 5000));
  expect(new Set(bodies.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(["200 Feature", "200 {}"]),
  );
});
