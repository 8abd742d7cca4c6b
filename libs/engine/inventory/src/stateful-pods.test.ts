import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { podFindings } from "./pod-changes.ts";
import { anArena, changed, partOf } from "./testing/an-arena.ts";
import type { Loose } from "./testing/judged-arena.ts";

const environment = environments.get("train-ticket");
const healthy = anArena(environment);
const store = "nacosdb-mysql";

/** What is found of the pods where one pod of the store was changed. */
const found = (edit: (pod: Loose) => void): string[] =>
  podFindings(environment, changed(healthy, `Pod/${store}`, edit)).map((one) => `${one.class} ${one.detail}`);
const inSpec = (fields: object) => (pod: Loose) => Object.assign(partOf(pod, "spec"), fields);
const label = (name: string, value: string) => (pod: Loose) =>
  Object.assign(partOf(pod, "metadata", "labels"), { [name]: value });

test("a pod as its StatefulSet makes it has no findings", () => {
  expect(found(() => {})).toEqual([]);
  expect(found(label("apps.kubernetes.io/pod-index", "0"))).toEqual([]);
});

test("a pod under another host name is not found by the others", () => {
  expect(found(inSpec({ hostname: "other" }))).toEqual([`breaks has hostname other instead of ${store}-0`]);
  expect(found(inSpec({ subdomain: undefined }))).toEqual([
    `breaks has subdomain undefined instead of ${store}`,
  ]);
});

test("a pod whose data is not in its claim has lost it", () => {
  const inDirectory = (pod: Loose): void => {
    const volumes = partOf(pod, "spec")["volumes"] as { name: string }[];
    partOf(pod, "spec")["volumes"] = volumes.map(({ name, ...rest }) =>
      name === "data" ? { name, emptyDir: {} } : { name, ...rest },
    );
  };
  expect(found(inDirectory)).toContain(
    `breaks has volumes.data.persistentVolumeClaim.claimName none instead of data-${store}-0`,
  );
});

test("a replica with the number or the name of another is seen", () => {
  expect(found(label("apps.kubernetes.io/pod-index", "2"))).toEqual([
    "changed has the label apps.kubernetes.io/pod-index=2, which its template has not",
  ]);
  expect(found(label("statefulset.kubernetes.io/pod-name", "another"))).toEqual([
    "changed has the label statefulset.kubernetes.io/pod-name=another, which its template has not",
  ]);
});
