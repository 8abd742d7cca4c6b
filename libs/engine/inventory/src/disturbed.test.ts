import { noFailure } from "@microremed/contracts";
import { expect, test } from "vitest";
import { compareArena } from "./compare-arena.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { changed, partOf, recordOf, withObject } from "./testing/an-arena.ts";
import { environment, healthy, type Loose, mark, record, target } from "./testing/judged-arena.ts";

const [neighbour, caller] = ["adservice", "checkoutservice"];
const status = (is: string) => ({ phase: "Running", conditions: [{ type: "Ready", status: is }] });

const revision = (number: number) => ({ "deployment.kubernetes.io/revision": String(number) });

/** All pods are ready, and the API server counts what is written of workloads. */
const asked: ArenaObjects = {
  ...healthy,
  objects: healthy.objects.map((object) =>
    object.kind === "Pod"
      ? { ...object, status: status("True") }
      : object.kind === "Deployment"
        ? { ...object, metadata: { ...object.metadata, generation: 1 } }
        : object.kind === "ReplicaSet"
          ? { ...object, metadata: { ...object.metadata, annotations: revision(1) } }
          : object,
  ),
};

const metadata = (identity: string, fields: object, arena = asked): ArenaObjects =>
  changed(arena, identity, (object) => Object.assign(partOf(object, "metadata"), fields));
const written = (name: string, arena = asked) => metadata(`Deployment/${name}`, { generation: 2 }, arena);
const replaced = (name: string, arena = asked) => metadata(`Pod/${name}`, { uid: "another" }, arena);
const rewritten = { resourceVersion: "another" };

/** The caller's rollouts since: how often it was changed, and its revisions beside the first. */
function rolledOut(
  changes: number,
  revisions: readonly { number: number; account?: string }[],
): ArenaObjects {
  const first = asked.objects.find((one) => one.metadata.name === `${caller}-1`);
  const arena = metadata(`Deployment/${caller}`, { generation: 1 + changes });
  return revisions.reduce((all, { number, account }) => {
    const set = structuredClone(first) as unknown as Loose;
    Object.assign(partOf(set, "metadata"), {
      name: `${caller}-${number}`,
      annotations: revision(number),
    });
    if (account !== undefined) partOf(set, "spec", "template", "spec")["serviceAccountName"] = account;
    return withObject(all, { ...set, metadata: partOf(set, "metadata") } as never);
  }, arena);
}

function disturbedIn(arena: ArenaObjects, before = asked, failure?: string): string[] {
  const changes = compareArena(
    {
      ...{ environment, target, resourcesMayDiffer: false, record: record.objects },
      mark: mark(before, record, undefined, [], failure),
    },
    arena,
  );
  return changes.flatMap((one) => (one.class === "disturbed" ? [one.object] : []));
}

test.each([
  ["a healthy workload was written", written(neighbour), `Deployment/${neighbour}`],
  ["its pod was replaced", replaced(neighbour), `Deployment/${neighbour}`],
  [
    "its pod was ended and is still there",
    changed(asked, `Pod/${neighbour}`, (pod) => Object.assign(pod, { status: { phase: "Failed" } })),
    `Deployment/${neighbour}`,
  ],
  ["it was made again", metadata(`Deployment/${neighbour}`, { uid: "new" }), `Deployment/${neighbour}`],
  ["a Service of it was written", metadata(`Service/${neighbour}`, rewritten), `Service/${neighbour}`],
])("%s, and nothing of it is left: it is disturbed", (_, arena, object) => {
  expect(disturbedIn(arena)).toEqual([object]);
});

test.each([
  ["nothing was done", asked],
  ["the failed workload was written and restarted", replaced(target, written(target))],
  ["the Service of the failed workload was written", metadata(`Service/${target}`, rewritten)],
  ["the pods of a caller were deleted", replaced(caller)],
  ["a caller was restarted", rolledOut(1, [{ number: 2 }])],
  ["a caller was restarted twice", rolledOut(2, [{ number: 2 }, { number: 3 }])],
  [
    "the cluster has put the pod away",
    { ...replaced(neighbour), displaced: new Set([`uid-pod-${neighbour}`]) },
  ],
])("%s: nothing is disturbed", (_, arena) => {
  expect(disturbedIn(arena)).toEqual([]);
});

test.each([
  ["had another template", rolledOut(2, [{ number: 2, account: "another" }, { number: 3 }])],
  ["had one whose revision was deleted", rolledOut(2, [{ number: 3 }])],
  ["had one while it was paused", rolledOut(4, [])],
  ["was scaled and scaled back", rolledOut(2, [])],
  [
    "had more rollouts than the cluster keeps, one of them deleted",
    rolledOut(
      13,
      Array.from({ length: 11 }, (_, i) => ({ number: i + 4 })),
    ),
  ],
])("a caller that %s is disturbed", (_, arena) => {
  expect(disturbedIn(arena)).toEqual([`Deployment/${caller}`]);
});

const ended = (name: string, terminated: object = {}): ArenaObjects =>
  changed(asked, `Pod/${name}`, (pod) =>
    Object.assign(partOf(pod, "status"), {
      containerStatuses: [{ name: "server", restartCount: 1, lastState: { terminated } }],
    }),
  );

test("the program of a healthy workload is not to be ended, nor started again in its pod", () => {
  expect(disturbedIn(ended(neighbour, { exitCode: 0 }))).toEqual([`Deployment/${neighbour}`]);
  expect(disturbedIn(ended(neighbour, { exitCode: 137 }))).toEqual([`Deployment/${neighbour}`]);
  expect(disturbedIn(ended(neighbour), ended(neighbour))).toEqual([]);
});

test.each([
  ["is short of memory", ended(neighbour, { reason: "OOMKilled" })],
  ["fails a probe", { ...ended(neighbour), unwell: new Set([`uid-pod-${neighbour}`]) }],
  ["calls what was hit", ended(caller)],
  ["calls a caller of what was hit", ended("frontend")],
])("a program that %s may end by itself", (_, arena) => {
  expect(disturbedIn(arena)).toEqual([]);
});

test("what was out of order when agents were asked may be restarted", () => {
  const ailing = changed(asked, `Pod/${neighbour}`, (pod) => Object.assign(pod, { status: status("False") }));
  expect(disturbedIn(replaced(neighbour), ailing)).toEqual([]);
});

test.each([{ observedGeneration: 0 }, { observedGeneration: 1, replicas: 2, updatedReplicas: 1 }])(
  "what its controller was about to restart, or did, when agents were asked may be restarted: %j",
  (rollout) => {
    const rolling = changed(asked, `Deployment/${neighbour}`, (one) =>
      Object.assign(one, { status: rollout }),
    );
    expect(disturbedIn(replaced(neighbour), rolling)).toEqual([]);
    const over = { observedGeneration: 1, replicas: 1, updatedReplicas: 1 };
    const settled = changed(asked, `Deployment/${neighbour}`, (one) => Object.assign(one, { status: over }));
    expect(disturbedIn(replaced(neighbour), settled)).toEqual([`Deployment/${neighbour}`]);
  },
);

test("where nothing is wrong, what is measured is disturbed too", () => {
  expect(disturbedIn(written(target), asked, noFailure)).toEqual([`Deployment/${target}`]);
});

test.each(["HorizontalPodAutoscaler", "ResourceQuota"])(
  "a %s is disturbed by another spec, and not by what controllers say of it",
  (kind) => {
    const spec = { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "nothing" } };
    const apiVersion = kind === "ResourceQuota" ? "v1" : "autoscaling/v2";
    const declared = withObject(asked, {
      ...{ apiVersion, kind, metadata: { name: "own", resourceVersion: "1" }, spec, status: {} },
    });
    const of = recordOf(declared);
    const later = (fields: object): ArenaObjects =>
      changed(metadata(`${kind}/own`, rewritten, declared), `${kind}/own`, (one) =>
        Object.assign(one, fields),
      );
    const classesIn = (arena: ArenaObjects) =>
      compareArena(
        {
          ...{ environment, target, resourcesMayDiffer: false, record: of.objects },
          mark: mark(declared, of),
        },
        arena,
      ).map(({ object }) => object);
    expect(classesIn(later({ status: { currentReplicas: 2 } }))).toEqual([]);
    expect(classesIn(later({ spec: { ...spec, maxReplicas: 4 } }))).toContain(`${kind}/own`);
  },
);
