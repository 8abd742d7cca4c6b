import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import type { ArenaObjects } from "../read-arena.ts";
import { changed, partOf, recordOf, withObject } from "../testing/an-arena.ts";
import { classes, healthy, stress, target } from "../testing/judged-arena.ts";

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

interface Written {
  readonly version?: string;
  /** s; null: nothing says who wrote what. */
  readonly dataAt?: number | null;
  readonly notesAt?: number;
  readonly operation?: string;
}

const configMap = ({ version = "1", dataAt = -60, notesAt, operation }: Written): KubeObject =>
  ({
    ...{ apiVersion: "v1", kind: "ConfigMap", data: { "my.cnf": "x" } },
    metadata: {
      ...{ name: "conf", resourceVersion: version },
      ...(dataAt !== null && {
        managedFields: [
          { manager: "a", operation, time: at(dataAt), fieldsV1: { "f:data": { "f:my.cnf": {} } } },
          ...(notesAt === undefined
            ? []
            : [{ manager: "b", time: at(notesAt), fieldsV1: { "f:metadata": { "f:annotations": {} } } }]),
        ],
      }),
    },
  }) as KubeObject;

const volumes = [{ name: "conf", configMap: { name: "conf" } }];
const reads = (object: Record<string, unknown>, ...path: string[]): void => {
  const spec = partOf(object, ...path);
  spec["volumes"] = [...((spec["volumes"] as object[] | undefined) ?? []), ...volumes];
};

/** The target reads the ConfigMap; `startedAt`: of its container, s after the injection. */
function arena(from: ArenaObjects, written: Written, startedAt: number): ArenaObjects {
  const inTemplate = changed(withObject(from, configMap(written)), `Deployment/${target}`, (object) =>
    reads(object, "spec", "template", "spec"),
  );
  return changed(inTemplate, `Pod/${target}`, (pod) => {
    reads(pod, "spec");
    const state = { terminated: { startedAt: at(startedAt) } };
    Object.assign(partOf(pod, "status"), { initContainerStatuses: [{ name: "first", state }] });
  });
}

const judge = (written: Written, startedAt: number, placedAt?: string): string[] => {
  const record = recordOf(arena(healthy, {}, -30));
  const after = arena(healthy, written, startedAt);
  const placed = placedAt === undefined ? {} : { [`uid-pod-${target}`]: placedAt };
  return classes({ ...after, placed }, { record, injected: arena(stress, {}, -30) });
};
const stale = [`breaks Pod/${target}-0`];

test.each([
  ["nothing was written", {}, 100, []],
  ["it started before all of it", { version: "3", dataAt: 200 }, -30, []],
  ["it started with what was written last", { version: "3", dataAt: 50 }, 100, []],
  ["it started before the data was changed back", { version: "3", dataAt: 200 }, 100, stale],
  ["only a note was written", { version: "2", notesAt: 200 }, 100, []],
  ["a key was added and taken away again", { version: "3" }, 100, stale],
  [
    "all was applied once more on the server's side",
    { version: "2", dataAt: 200, operation: "Apply" },
    100,
    [`changed Pod/${target}-0`],
  ],
  ["the server's notes were removed", { version: "2", dataAt: null }, 100, stale],
])("what a pod has read, where %s", (_, written, startedAt, expected) => {
  expect(judge(written, startedAt)).toEqual(expected);
});

test.each([
  ["in the second of the write, after it", { version: "99", dataAt: 100 }, "100", []],
  ["in the second of the write, before it", { version: "99", dataAt: 100 }, "98", stale],
  ["in the second of the write, and no event says when", { version: "99", dataAt: 100 }, undefined, stale],
  ["after a key was added and taken away again", { version: "99" }, "100", []],
  ["after a write, where numbers are no order", { version: "a9", dataAt: 100 }, "b1", stale],
])("what a pod has read that was placed %s", (_, written, placedAt, expected) => {
  expect(judge(written, 100, placedAt)).toEqual(expected);
});
