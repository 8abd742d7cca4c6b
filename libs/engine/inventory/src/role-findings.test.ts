import type { KubeObject } from "@microremed/cluster";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { roleFindings, rolesOf } from "./role-findings.ts";
import { anArena } from "./testing/an-arena.ts";

const environment = environments.get("train-ticket");
const store = "tsdb-mysql";

interface Member {
  readonly role?: string;
  readonly uid?: string;
  readonly restarts?: number;
  readonly ready?: boolean;
}

/** An arena in which the store has these members. */
function withMembers(...members: Member[]): KubeObject[] {
  const { objects } = anArena(environment);
  const one = objects.find(({ kind, metadata }) => kind === "Pod" && metadata.name === `${store}-0`);
  if (!one) throw new Error("no pod");
  const pods = members.map(({ role, uid, restarts = 0, ready = true }, index) => ({
    ...one,
    metadata: {
      ...one.metadata,
      name: `${store}-${index}`,
      uid: uid ?? `uid-${index}`,
      labels: { ...one.metadata.labels, ...(role !== undefined && { role }) },
    },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      containerStatuses: [{ name: "mysql", restartCount: restarts }],
    },
  }));
  return [...objects.filter((object) => object !== one), ...pods];
}

const [leader, follower] = [{ role: "leader" }, { role: "follower" }];
const before = rolesOf(environment, withMembers(leader, follower, follower));
const found = (members: Member[], isParted = false, was = before): string[] =>
  roleFindings(environment, withMembers(...members), was, () => isParted).map(
    ({ pod, detail }) => `${pod.metadata.name} ${detail}`,
  );

test("roles are read of pods whose programs may write them, and of no others", () => {
  const other = { workload: "nacosdb-mysql", role: "candidate", restarts: 0 };
  expect(Object.values(before)).toEqual([
    other,
    ...["leader", "follower", "follower"].map((role) => ({ workload: store, role, restarts: 0 })),
  ]);
});

test("as long as the leader goes on, no other leads, whatever happens to the others", () => {
  expect(found([leader, follower, follower])).toEqual([]);
  expect(found([leader, follower, { ...follower, uid: "new" }])).toEqual([]);
  const swapped = [
    `${store}-0 has the role follower instead of leader, and its program has gone on`,
    `${store}-1 has the role leader instead of follower, and its program has gone on`,
  ];
  expect(found([follower, leader, follower])).toEqual(swapped);
  // That a third one is new explains nothing.
  expect(found([follower, leader, { ...follower, uid: "new" }])).toEqual(swapped);
  expect(found([follower, { ...leader, uid: "new" }, follower])).toEqual(swapped.slice(0, 1));
});

test("another leads when the leader has gone or has restarted", () => {
  expect(found([{ ...follower, uid: "new" }, leader, follower])).toEqual([]);
  expect(found([{ ...follower, restarts: 1 }, leader, follower])).toEqual([]);
  expect(found([{ role: "candidate", uid: "new", ready: false }, leader, follower])).toEqual([]);
});

test("two leaders, or none, are no end of an election", () => {
  const isNew = { uid: "new" };
  expect(found([{ ...leader, ...isNew }, leader, follower])).toEqual([
    `${store}-0 is of a workload with the roles follower, leader, leader instead of follower, follower, leader`,
  ]);
  expect(found([isNew, follower, follower])).toEqual([
    `${store}-0 is of a workload with the roles candidate, follower, follower instead of follower, follower, leader`,
  ]);
  // Not before all of them are there.
  expect(found([{ ...isNew, ready: false }, follower, follower])).toEqual([]);
  expect(found([isNew, follower])).toEqual([]);
});

test("members that the fault parts from one another may elect another leader", () => {
  expect(found([follower, leader, follower], true)).toEqual([]);
  expect(found([leader, leader, follower], true)).toHaveLength(1);
});

test("of two members, the other leads when its leader has gone", () => {
  const two = rolesOf(environment, withMembers(leader, follower));
  expect(found([{ ...follower, uid: "new" }, leader], false, two)).toEqual([]);
  expect(found([follower, leader], false, two)).toHaveLength(2);
});
