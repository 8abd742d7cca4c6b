import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { normalise } from "./normalise.ts";
import { withoutRewritten } from "./rewritten.ts";

const archive: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "archive", namespace: "shop", labels: { app: "archive" }, finalizers: ["a/b"] },
  data: { state: "complete" },
};
const record = { rewritten: [normalise(archive)] };
const withMetadata = (fields: object): KubeObject => ({
  ...archive,
  metadata: { ...archive.metadata, ...fields },
});
const owner = { apiVersion: "batch/v1", kind: "Job", name: "j", uid: "j", controller: true };

test("what programs of a setting write again is compared with nothing, also while it is on its way out", () => {
  const going = withMetadata({ uid: "2", resourceVersion: "7", deletionTimestamp: "2026-01-01T00:00:00Z" });
  expect(withoutRewritten(record, [archive])).toEqual([]);
  expect(withoutRewritten(record, [going])).toEqual([]);
});

test.each([
  ["with other data", { ...archive, data: { state: "complete", more: "1" } }],
  ["without the finalizer", withMetadata({ finalizers: [] })],
  ["with one more finalizer", withMetadata({ finalizers: ["a/b", "c/d"] })],
  ["with an owner", withMetadata({ ownerReferences: [owner] })],
  ["with an annotation", withMetadata({ annotations: { note: "1" } })],
  ["of another name", withMetadata({ name: "other" })],
])("one %s is compared as any object", (_, other) => {
  expect(withoutRewritten(record, [other])).toEqual([other]);
  expect(withoutRewritten({}, [archive]), "where no setting writes it").toEqual([archive]);
});
