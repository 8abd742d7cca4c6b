import { type Manifest, renderManifests } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

// Ours and those of CATALOGUE_DIRS: what the manifests of every system must be.
const { names } = catalogue.environments;
const render = (name: string): readonly Manifest[] =>
  renderManifests(catalogue.environments.get(name), { namespace: "arena" });

test.each(names)("%s: is bound to no namespace but the given one, to no node port or host", (name) => {
  const manifests = render(name);
  expect(manifests.filter(({ metadata }) => metadata.namespace !== "arena")).toEqual([]);
  const text = JSON.stringify(manifests);
  expect(text).not.toMatch(/nodePort|hostPath|hostNetwork|loadBalancerIP/);
  expect(text).not.toContain(`.${name}.svc`);
});

test.each(names)("%s: comes in dependency order, and twice the same", (name) => {
  const order = [
    "ConfigMap",
    "Secret",
    "ServiceAccount",
    "Role",
    "RoleBinding",
    "Service",
    "StatefulSet",
    "Deployment",
  ];
  const groups = render(name).map(({ kind }) =>
    order.indexOf(kind === "Role" || kind === "RoleBinding" ? "ServiceAccount" : kind),
  );
  expect(groups).not.toContain(-1);
  expect(groups).toEqual([...groups].sort((a, b) => a - b));
  expect(render(name)).toEqual(render(name));
});

test.each(names)("%s: every pod template has the labels its workload and the range select by", (name) => {
  const workloads = render(name).filter(({ kind }) => kind === "Deployment" || kind === "StatefulSet");
  expect(workloads.length).toBeGreaterThan(0);
  for (const { metadata, ...manifest } of workloads) {
    const { selector, template } = manifest["spec"] as {
      selector: { matchLabels: Readonly<Record<string, string>> };
      template: { metadata: { labels: Readonly<Record<string, string>> } };
    };
    expect(Object.keys(selector.matchLabels), metadata.name).not.toEqual([]);
    expect(template.metadata.labels, metadata.name).toMatchObject({
      ...selector.matchLabels,
      "app.kubernetes.io/part-of": name,
    });
  }
});

test.each(names)("%s: images are pinned", (name) => {
  for (const workload of Object.values(catalogue.environments.get(name).workloads)) {
    for (const { image } of [...workload.initContainers, ...workload.containers]) {
      expect(image).toMatch(/:[\w.-]+$/);
      expect(image).not.toMatch(/:latest$/);
    }
  }
});
