import { type Manifest, namespacedAmong, renderManifests, valueAt } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

// Ours and those of CATALOGUE_DIRS: what the manifests of every system must be.
const { names } = catalogue.environments;
const render = (name: string): readonly Manifest[] =>
  renderManifests(catalogue.environments.get(name), { namespace: "arena" });

test.each(names)("%s: is bound to no namespace but the given one, to no node port or host", (name) => {
  const manifests = render(name);
  const isPlaced = namespacedAmong(manifests);
  const elsewhere = manifests.filter((one) => isPlaced(one) && one.metadata.namespace !== "arena");
  expect(elsewhere).toEqual([]);
  const text = JSON.stringify(manifests);
  expect(text).not.toMatch(/nodePort|hostPath|hostNetwork|hostPort|loadBalancerIP/);
  expect(text).not.toContain(`.${name}.svc`);
});

const podMakers = ["CronJob", "DaemonSet", "Deployment", "Job", "Pod", "StatefulSet"];

test.each(names)("%s: what makes pods comes after what they need, and twice the same", (name) => {
  const kinds = render(name).map(({ kind }) => kind);
  const first = kinds.findIndex((kind) => podMakers.includes(kind));
  expect(first).toBeGreaterThanOrEqual(0);
  expect(kinds.slice(first).filter((kind) => !podMakers.includes(kind))).toEqual([]);
  expect(render(name)).toEqual(render(name));
});

test.each(names)("%s: every workload selects the pods of its own template, and those of no other", (name) => {
  const { workloads } = catalogue.environments.get(name);
  for (const [workload, { selector }] of Object.entries(workloads)) {
    expect(Object.keys(selector), workload).not.toEqual([]);
    const selected = Object.entries(workloads).filter(([, { labels }]) =>
      Object.entries(selector).every(([label, value]) => labels[label] === value),
    );
    expect(selected.map(([other]) => other)).toEqual([workload]);
  }
});

test.each(names)("%s: the API server gets what was written, in another namespace", (name) => {
  const { manifests } = catalogue.environments.get(name);
  const placed = render(name);
  expect(placed.map(({ kind, metadata }) => [kind, metadata.name])).toEqual(
    manifests.map(({ kind, metadata }) => [kind, metadata.name]),
  );
  for (const [index, manifest] of manifests.entries())
    for (const path of ["/data", "/spec/template", "/spec/selector", "/metadata/labels", "/rules"])
      expect(valueAt(placed[index], path)).toEqual(valueAt(manifest, path));
});

/** Repositories that publish no version. */
const withoutVersions = [
  "docker.io/deathstarbench/social-network-microservices",
  "lilygniedz/orbital-frontend",
  "lilygniedz/satellite-backend",
  "yinfangchen/hotelreservation",
];

test.each(names)("%s: images are pinned, where their repository has versions", (name) => {
  for (const workload of Object.values(catalogue.environments.get(name).workloads)) {
    for (const { image } of [...workload.initContainers, ...workload.containers]) {
      expect(image).toMatch(/:[\w.-]+$/);
      if (!withoutVersions.includes(image.replace(/:latest$/, ""))) expect(image).not.toMatch(/:latest$/);
    }
  }
});
