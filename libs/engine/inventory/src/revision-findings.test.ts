import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { changed, partOf } from "./testing/an-arena.ts";
import { classes, healthy, metadata, target } from "./testing/judged-arena.ts";

const neighbour = "frontend";
const counted = "deployment.kubernetes.io/revision";

/** With one more ReplicaSet of a Deployment, without pods, whose template was changed. */
function former(of: string, edit: (template: Record<string, unknown>) => void): ArenaObjects {
  const set = healthy.objects.find(
    ({ kind, metadata: { name } }) => kind === "ReplicaSet" && name === `${of}-1`,
  );
  const copy = structuredClone(set) as KubeObject;
  Object.assign(copy.metadata, { name: "former", uid: "uid-former" });
  Object.assign(partOf(copy, "spec"), { replicas: 0 });
  edit(partOf(copy, "spec", "template"));
  return { ...healthy, objects: [...healthy.objects, copy] };
}
const withImage = (template: Record<string, unknown>): void => {
  Object.assign(partOf(template, "spec", "containers", 0), { image: "no-such:image" });
};

test("a former revision of another workload is as declared, however it came about", () => {
  expect(classes(former(neighbour, withImage))).toEqual(["changed ReplicaSet/former"]);
  expect(classes(former(target, withImage))).toEqual([]);
  const restarted = former(neighbour, (template) => {
    const of = partOf(template, "metadata");
    of["annotations"] = { ...(of["annotations"] as object), "kubectl.kubernetes.io/restartedAt": "x" };
    of["labels"] = { ...(of["labels"] as object), "pod-template-hash": "1" };
  });
  expect(classes(restarted)).toEqual([]);
});

test("a former revision that was there keeps its template", () => {
  const arena = changed(healthy, `ReplicaSet/${target}-1`, (set) =>
    withImage(partOf(set, "spec", "template")),
  );
  expect(classes(arena)).toEqual([`changed ReplicaSet/${target}-1`]);
});

test.each([
  ["2", []],
  ["9223372036854775807", [`changed ReplicaSet/${neighbour}-1`]],
  ["first", [`changed ReplicaSet/${neighbour}-1`]],
])("revision number %s", (number, expected) => {
  expect(classes(metadata(`ReplicaSet/${neighbour}-1`, { annotations: { [counted]: number } }))).toEqual(
    expected,
  );
});
