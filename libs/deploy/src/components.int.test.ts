import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { streams, subjects } from "@microremed/contracts";
import type { KubeObject } from "@microremed/kube";
import { expect, test } from "vitest";
import { k8sRoot } from "./places.ts";
import { referencesIn } from "./pods/references.ts";
import { renderOverlay } from "./render-overlay.ts";
import { startTestCluster } from "./testing/start-cluster.ts";

const crds = (name: string): string => fileURLToPath(new URL(`./testing/crds/${name}.yaml`, import.meta.url));

/** What an operator writes to add components to a part of an overlay. */
async function renderWith(base: string, components: readonly string[]): Promise<KubeObject[]> {
  // Beside the others: kustomize takes no absolute paths.
  const dir = await mkdtemp(join(k8sRoot, "overlays", ".test-"));
  try {
    const kustomization = {
      apiVersion: "kustomize.config.k8s.io/v1beta1",
      kind: "Kustomization",
      namespace: base.endsWith("executor") ? "microremed-executor" : "microremed-system",
      resources: [relative(dir, join(k8sRoot, base))],
      components: components.map((name) => relative(dir, join(k8sRoot, "components", name))),
    };
    await writeFile(join(dir, "kustomization.yaml"), JSON.stringify(kustomization));
    return await renderOverlay(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

interface Scaled {
  readonly scaleTargetRef: { readonly name: string };
  readonly triggers: readonly { readonly metadata: { readonly stream: string; readonly consumer: string } }[];
}

for (const [place, components] of [
  ["overlays/prod/system", ["keda", "external-secrets"]],
  ["overlays/prod/executor", ["keda-executor", "external-secrets-executor"]],
  ["overlays/prod/system", ["hpa"]],
  ["overlays/prod/executor", ["hpa-executor"]],
  ["overlays/prod/executor", ["in-cluster"]],
] as const) {
  test(`${components.join(" and ")} on ${place} apply with no warning, client-side and server-side`, async () => {
    const objects = await renderWith(place, components);
    for (const how of [[], ["--server-side"]]) {
      await using cluster = await startTestCluster();
      for (const name of ["keda", "external-secrets"]) {
        expect(await cluster.kubectl(["apply", "-f", crds(name)])).toMatchObject({ code: 0 });
      }
      expect(await cluster.apply(objects, ...how)).toMatchObject({ code: 0, stderr: "" });
    }
  });
}

test("autoscalers scale Deployments that are there, by queues that are there", async () => {
  const objects = [
    ...(await renderWith("overlays/prod/system", ["keda", "hpa"])),
    ...(await renderWith("overlays/prod/executor", ["keda-executor", "hpa-executor"])),
  ];
  const deployments = new Map(
    objects.filter(({ kind }) => kind === "Deployment").map((object) => [object.metadata.name, object]),
  );
  const autoscalers = objects.filter(
    ({ kind }) => kind === "ScaledObject" || kind === "HorizontalPodAutoscaler",
  );
  expect(autoscalers.length).toBe(8);
  for (const { kind, spec } of autoscalers) {
    const scaled = spec as unknown as Scaled;
    const target = deployments.get(scaled.scaleTargetRef.name);
    expect(target, scaled.scaleTargetRef.name).toBeDefined();
    if (kind !== "ScaledObject" || !target) continue;
    const consumers = scaled.triggers.map(({ metadata }) => metadata.consumer).sort();
    const service = scaled.scaleTargetRef.name.startsWith("executor") ? "executor" : "remediator";
    expect(consumers).toEqual(expectedConsumers(service, target));
    for (const { metadata } of scaled.triggers) expect(metadata.stream).toBe(streams[service].name);
  }
});

/** As the bus names them: the service and the subject of each model, or of each cluster of clusters.yaml. */
function expectedConsumers(service: "executor" | "remediator", deployment: KubeObject): string[] {
  const spec = deployment.spec as unknown as {
    template: { spec: { containers: { env: { name: string; value?: string }[] }[] } };
  };
  const models = spec.template.spec.containers[0]?.env.find(({ name }) => name === "MODELS")?.value;
  const shards = service === "executor" ? ["staging"] : (models ?? "").split(",");
  const stage = service === "executor" ? "execute" : "remediate";
  return shards
    .map(
      (shard) =>
        `${service}-${subjects.command(stage, shard).replace("microremed.", "").replaceAll(".", "_")}`,
    )
    .sort();
}

test("External Secrets bring every Secret of prod that is not a model's", async () => {
  for (const [place, component] of [
    ["overlays/prod/system", "external-secrets"],
    ["overlays/prod/executor", "external-secrets-executor"],
  ] as const) {
    const objects = await renderWith(place, [component]);
    const brought = new Set(
      objects.filter(({ kind }) => kind === "ExternalSecret").map(({ metadata }) => metadata.name),
    );
    const needed = objects.flatMap((object) =>
      referencesIn(object).flatMap(({ kind, name }) => (kind === "Secret" ? [name] : [])),
    );
    expect(needed.filter((name) => !brought.has(name))).toEqual([]);
  }
});

test("in-cluster kubeconfigs use the pod's own token, and the target's rights are bound to its account", async () => {
  const objects = await renderWith("overlays/prod/executor", ["in-cluster"]);
  const executor = objects.find(({ kind }) => kind === "Deployment");
  expect(JSON.stringify(executor)).toContain('"serviceAccountToken":{"expirationSeconds":3600');
  const target = await renderOverlay(join(k8sRoot, "target-in-cluster"));
  await using cluster = await startTestCluster();
  expect(await cluster.apply(target)).toMatchObject({ code: 0, stderr: "" });
  const can = (...args: string[]) =>
    cluster.kubectl(["auth", "can-i", ...args, "--as=system:serviceaccount:microremed-executor:executor"]);
  expect((await can("create", "serviceaccounts/token", "-n", "microremed")).stdout).toBe("yes");
  expect((await can("delete", "deployments", "-n", "shop")).stdout).toBe("no");
});
