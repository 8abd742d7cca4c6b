import { noFailure } from "@microremed/contracts";
import { expect, test } from "vitest";
import { compareArena } from "./compare-arena.ts";
import { normalise } from "./normalise.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { withObject } from "./testing/an-arena.ts";
import { change, chaos, environment, healthy, mark, record, target } from "./testing/judged-arena.ts";
import { expectedWithNoise, objectsWithNoise } from "./with-noise.ts";

const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "seed" }, spec: {} };
const objectOf = ({ objects }: ArenaObjects, identity: string) => {
  const found = objects.find(({ kind, metadata }) => `${kind}/${metadata.name}` === identity);
  if (!found) throw new Error(`no ${identity}`);
  return normalise(found);
};

/** What of the arena is counted where others have kept more revisions of a Deployment, and made a Job. */
function changesAfter(name: string, live: (noisy: ArenaObjects) => ArenaObjects, failure?: string): string[] {
  const isMore = (object: Record<string, unknown>): void => {
    Object.assign(object["spec"] as object, { revisionHistoryLimit: 30 });
  };
  const noisy = withObject(change(`Deployment/${name}`, isMore), job);
  const objects = [objectOf(noisy, `Deployment/${name}`), objectOf(noisy, "Job/seed")];
  const withNoise = { ...record, noise: { objects, revisions: [] } };
  const arena = live(noisy);
  const changes = compareArena(
    {
      ...{ environment, target, resourcesMayDiffer: false },
      mark: {
        ...mark(withObject(noisy, chaos()), { ...record, objects: objectsWithNoise(withNoise) }),
        ...(failure && { failure }),
      },
      record: expectedWithNoise(withNoise, arena.objects),
      withNoise: objectsWithNoise(withNoise),
    },
    arena,
  );
  return changes.map((one) => `${one.class} ${one.object}`);
}

const other = "frontend";
const withJob = (arena: ArenaObjects): ArenaObjects => withObject(arena, job);

test("what others have changed and made is a part of the system", () => {
  expect(changesAfter(other, (noisy) => noisy)).toEqual([]);
});

test("to undo it where no fault is was not asked for; on a workload that has failed it is allowed", () => {
  expect(changesAfter(other, () => withJob(healthy))).toEqual([`changed Deployment/${other}`]);
  expect(changesAfter(target, () => withJob(healthy))).toEqual([`allowed Deployment/${target}`]);
  expect(changesAfter(target, () => withJob(healthy), noFailure)).toEqual([`changed Deployment/${target}`]);
  expect(changesAfter(other, () => healthy).toSorted()).toEqual([
    `changed Deployment/${other}`,
    "changed Job/seed",
  ]);
});
