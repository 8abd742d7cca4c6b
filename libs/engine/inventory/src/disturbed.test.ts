import { noFailure } from "@microremed/contracts";
import { expect, test } from "vitest";
import { compareArena } from "./compare-arena.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { changed, partOf, withObject } from "./testing/an-arena.ts";
import { environment, healthy, type Loose, mark, record, target } from "./testing/judged-arena.ts";

const [neighbour, caller] = ["adservice", "checkoutservice"];
const status = (is: string) => ({ phase: "Running", conditions: [{ type: "Ready", status: is }] });

/** All pods are ready, and the API server counts what is written of workloads. */
const asked: ArenaObjects = {
  ...healthy,
  objects: healthy.objects.map((object) =>
    object.kind === "Pod"
      ? { ...object, status: status("True") }
      : object.kind === "Deployment"
        ? { ...object, metadata: { ...object.metadata, generation: 1 } }
        : object,
  ),
};

const metadata = (identity: string, fields: object, arena = asked): ArenaObjects =>
  changed(arena, identity, (object) => Object.assign(partOf(object, "metadata"), fields));
const written = (name: string, arena = asked) => metadata(`Deployment/${name}`, { generation: 2 }, arena);
const replaced = (name: string, arena = asked) => metadata(`Pod/${name}`, { uid: "another" }, arena);
const note = (field: string, time: string) => ({
  managedFields: [{ manager: "kubectl", operation: "Update", time, fieldsV1: { [field]: {} } }],
});

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
  ["it was made again", metadata(`Deployment/${neighbour}`, { uid: "new" }), `Deployment/${neighbour}`],
  [
    "a Service of it was written",
    metadata(`Service/${neighbour}`, note("f:spec", "1")),
    `Service/${neighbour}`,
  ],
])("%s, and nothing of it is left: it is disturbed", (_, arena, object) => {
  expect(disturbedIn(arena)).toEqual([object]);
});

test.each([
  ["nothing was done", asked],
  ["the failed workload was written and restarted", replaced(target, written(target))],
  ["the Service of the failed workload was written", metadata(`Service/${target}`, note("f:spec", "1"))],
  ["a label of a Service was set", metadata(`Service/${neighbour}`, note("f:metadata", "1"))],
  ["a caller was restarted", replaced(caller, written(caller))],
  [
    "the cluster has put the pod away",
    { ...replaced(neighbour), displaced: new Set([`uid-pod-${neighbour}`]) },
  ],
])("%s: nothing is disturbed", (_, arena) => {
  expect(disturbedIn(arena)).toEqual([]);
});

test("a caller that had another template is disturbed", () => {
  const set = asked.objects.find((one) => one.metadata.name === `${caller}-1`);
  const revision = structuredClone(set) as unknown as Loose;
  Object.assign(partOf(revision, "metadata"), {
    name: `${caller}-2`,
    annotations: { "deployment.kubernetes.io/revision": "2" },
  });
  const spec = partOf(revision, "spec", "template", "spec");
  const rolledOut = withObject(asked, { ...revision, metadata: partOf(revision, "metadata") } as never);
  expect(disturbedIn(rolledOut)).toEqual([]);
  spec["serviceAccountName"] = "another";
  expect(disturbedIn(rolledOut)).toEqual([`Deployment/${caller}`]);
});

test("what was out of order when agents were asked may be restarted", () => {
  const ailing = changed(asked, `Pod/${neighbour}`, (pod) => Object.assign(pod, { status: status("False") }));
  expect(disturbedIn(replaced(neighbour), ailing)).toEqual([]);
});

test("where nothing is wrong, what is measured is disturbed too", () => {
  expect(disturbedIn(written(target), asked, noFailure)).toEqual([`Deployment/${target}`]);
});
