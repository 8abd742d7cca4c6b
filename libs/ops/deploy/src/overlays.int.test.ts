import { join } from "node:path";
import { type KubeObject, kinds, type Pod } from "@microremed/cluster";
import { expect, test } from "vitest";
import { k8sRoot } from "./places.ts";
import type { PodSpec } from "./pods/pod.types.ts";
import { referencesIn } from "./pods/references.ts";
import { renderOverlay } from "./render-overlay.ts";
import { devSecrets, prodSecrets, type SecretManifest, splitSecrets } from "./secrets.ts";
import { houseRuleViolations } from "./testing/house-rules.ts";
import { restrictedViolations } from "./testing/pod-security.ts";
import { schemaViolations } from "./testing/schema-violations.ts";
import { startTestCluster, untilThereAre } from "./testing/start-cluster.ts";

/** Only an operator has these: kubeconfigs of clusters, and keys of models. */
const broughtSecrets = /^((injector|executor|verifier)-kubeconfigs|model-keys-.+)$/;
const made: Readonly<Record<string, () => Promise<SecretManifest[]>>> = {
  dev: devSecrets,
  prod: prodSecrets,
  "cs-cluster": async () => (await splitSecrets([])).cluster,
  "cs-llm": async () => (await splitSecrets([])).llm,
};
const overlays = Object.keys(made);
const renderings = new Map(
  overlays.map((overlay) => [overlay, renderOverlay(join(k8sRoot, "overlays", overlay))]),
);
const render = async (overlay: string): Promise<readonly KubeObject[]> =>
  (await renderings.get(overlay)) ?? [];
const specOf = (pod: Pod): PodSpec => pod.spec as PodSpec;
const nameOf = ({ metadata }: KubeObject): string =>
  metadata.labels?.["app.kubernetes.io/name"] ?? metadata.name;

function podsExpected(objects: readonly KubeObject[]): number {
  return objects
    .filter(({ kind }) => ["Deployment", "StatefulSet", "Job"].includes(kind ?? ""))
    .reduce((sum, { spec }) => sum + ((spec as { replicas?: number }).replicas ?? 1), 0);
}

for (const overlay of overlays) {
  test(`${overlay} applies with kubectl, with no warning, and its pods keep the rules`, async () => {
    await using cluster = await startTestCluster();
    const objects = await render(overlay);
    const secrets = await made[overlay]?.();
    expect(await cluster.apply(objects)).toMatchObject({ code: 0, stderr: "" });
    expect(await cluster.apply(secrets as unknown as KubeObject[])).toMatchObject({ code: 0, stderr: "" });
    expect(await cluster.apply(objects), "a second time").toMatchObject({ code: 0, stderr: "" });

    const expected = podsExpected(objects);
    const namespaces = new Set(objects.map(({ metadata }) => metadata.namespace));
    const ofOverlay = (pods: readonly Pod[]): readonly Pod[] =>
      pods.filter(({ metadata }) => namespaces.has(metadata.namespace));
    const pods = await untilThereAre(cluster, kinds.pod, (found) => ofOverlay(found).length >= expected);
    for (const pod of ofOverlay(pods)) {
      const { namespace } = pod.metadata;
      const name = `${namespace}/${nameOf(pod)}`;
      expect(restrictedViolations(specOf(pod)), name).toEqual([]);
      const runsToItsEnd = specOf(pod).restartPolicy !== "Always";
      expect(houseRuleViolations(specOf(pod), { runsToItsEnd }), name).toEqual([]);
    }
  });

  test(`${overlay} applies by server-side apply, and every object is as the API server's OpenAPI says`, async () => {
    await using cluster = await startTestCluster();
    const objects = await render(overlay);
    expect(await cluster.apply(objects, "--server-side")).toMatchObject({ code: 0, stderr: "" });
    for (const version of new Set(objects.map(({ apiVersion }) => apiVersion ?? ""))) {
      const document = await cluster.openApi(version);
      for (const object of objects.filter(({ apiVersion }) => apiVersion === version)) {
        expect(schemaViolations(document, object), object.metadata.name).toEqual([]);
      }
    }
  });

  test(`${overlay}: every ConfigMap and Secret that a pod refers to is rendered, made, or a person's to bring`, async () => {
    const objects = await render(overlay);
    const there = new Set(
      [...objects, ...((await made[overlay]?.()) ?? [])].map(
        ({ kind, metadata }) => `${metadata.namespace}/${kind}/${metadata.name}`,
      ),
    );
    const missing = objects.flatMap((object) =>
      referencesIn(object)
        .filter(({ optional }) => !optional)
        .map(({ kind, name }) => `${object.metadata.namespace}/${kind}/${name}`)
        .filter((id) => !there.has(id) && !broughtSecrets.test(id.split("/")[2] ?? "")),
    );
    expect(missing).toEqual([]);
    if (overlay === "dev") expect([...there].filter((id) => /kubeconfigs$/.test(id))).toHaveLength(3);
  });
}

test("a namespace enforces the level that its pods keep", async () => {
  for (const overlay of overlays) {
    const namespaces = (await render(overlay)).filter(({ kind }) => kind === "Namespace");
    const levels = namespaces.map(({ metadata }) => [
      metadata.name,
      metadata.labels?.["pod-security.kubernetes.io/enforce"],
    ]);
    for (const [name, level] of levels) expect(level, `${overlay}/${name}`).toBe("restricted");
  }
});

test("a changed configuration rolls: the names of generated ConfigMaps hold a hash", async () => {
  for (const overlay of overlays) {
    const maps = (await render(overlay)).filter(({ kind }) => kind === "ConfigMap");
    for (const { metadata } of maps) expect(metadata.name).toMatch(/-[a-z0-9]{10}$/);
  }
});

test("the LLM side holds nothing of a cluster, and the cluster side no keys of models", async () => {
  const [llm, cluster] = await Promise.all([render("cs-llm"), render("cs-cluster")]);
  const names = (objects: readonly KubeObject[]): string[] =>
    objects.flatMap((object) => referencesIn(object).map(({ name }) => name));
  const { llm: llmSecrets } = await splitSecrets(["range.example.org"]);
  const llmNames = [...names(llm), ...llmSecrets.map(({ metadata }) => metadata.name)];
  expect(
    llmNames.filter((name) => /kubeconfig|cluster|injector|executor|verifier|scheduler|admin/.test(name)),
  ).toEqual([]);
  expect(names(cluster).filter((name) => /model/.test(name))).toEqual([]);
  expect(
    llm.filter(({ kind, spec }) => kind === "Service" && (spec as { type?: string }).type !== undefined),
  ).toEqual([]);
});
