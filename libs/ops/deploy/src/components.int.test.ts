import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { KubeObject } from "@microremed/cluster";
import { queueLabel, streams, subjects } from "@microremed/contracts";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { k8sRoot } from "./places.ts";
import { referencesIn } from "./pods/references.ts";
import { renderOverlay } from "./render-overlay.ts";
import { backboneNames, prodSecrets } from "./secrets.ts";
import { startTestCluster } from "./testing/start-cluster.ts";

const crds = (name: string): string => fileURLToPath(new URL(`./testing/crds/${name}.yaml`, import.meta.url));

const foreignKinds = ["keda", "external-secrets", "cert-manager"].flatMap((name) =>
  loadAll(readFileSync(crds(name), "utf8")).map((object) => object as KubeObject),
);

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
  /** KEDA's. */
  readonly triggers?: readonly { readonly metadata: Readonly<Record<string, string>> }[];
  /** A HorizontalPodAutoscaler's. */
  readonly metrics?: readonly {
    readonly external: {
      readonly metric: {
        readonly name: string;
        readonly selector: { readonly matchLabels: { queue: string } };
      };
    };
  }[];
}

for (const [place, components] of [
  ["overlays/prod/system", ["keda", "external-secrets"]],
  ["overlays/prod/executor", ["keda-executor", "external-secrets-executor"]],
  ["overlays/prod/system", ["hpa"]],
  ["overlays/prod/executor", ["hpa-executor"]],
  ["overlays/prod/executor", ["in-cluster"]],
  ["overlays/prod/system", ["cert-manager", "cert-manager-client"]],
  ["overlays/prod/executor", ["cert-manager-client"]],
  ["overlays/prod/system", ["gateway", "gateway-ingress", "external-secrets"]],
] as const) {
  test(`${components.join(" and ")} on ${place} apply with no warning, client-side and server-side`, async () => {
    const objects = await renderWith(place, components);
    for (const how of [[], ["--server-side"]]) {
      await using cluster = await startTestCluster();
      for (const crd of foreignKinds) await cluster.cluster.create(crd);
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
  for (const { spec } of autoscalers) {
    const scaled = spec as unknown as Scaled;
    const target = deployments.get(scaled.scaleTargetRef.name);
    if (!target) throw new TypeError(`there is no Deployment ${scaled.scaleTargetRef.name}`);
    const service = scaled.scaleTargetRef.name.startsWith("executor") ? "executor" : "remediator";
    const consumers = expectedConsumers(service, target);
    for (const { metadata } of scaled.triggers ?? []) {
      expect(metadata["stream"]).toBe(streams[service].name);
      // Every field that KEDA documents for nats-jetstream and that has no default.
      expect(Object.keys(metadata).sort()).toEqual(
        ["account", "consumer", "lagThreshold", "natsServerMonitoringEndpoint", "stream"].sort(),
      );
    }
    if (scaled.triggers) {
      expect(scaled.triggers.map(({ metadata }) => metadata["consumer"]).sort()).toEqual(consumers);
    } else {
      const metrics = (scaled.metrics ?? []).map(({ external }) => external.metric);
      expect(new Set(metrics.map(({ name }) => name))).toEqual(new Set(["microremed_queue_depth"]));
      expect(metrics.map(({ selector }) => selector.matchLabels.queue).sort()).toEqual(
        consumers.map(queueLabel),
      );
    }
  }
});

interface CertificateSpec {
  readonly secretName: string;
  readonly dnsNames?: readonly string[];
  readonly usages: readonly string[];
}

/** As the bus names them: the service and the subject of each model, or of each cluster of clusters.yaml. */
function expectedConsumers(service: "executor" | "remediator", deployment: KubeObject): string[] {
  const spec = deployment.spec as unknown as {
    template: { spec: { containers: { env: { name: string; value?: string }[] }[] } };
  };
  const models = spec.template.spec.containers[0]?.env.find(({ name }) => name === "MODELS")?.value;
  const shards = service === "executor" ? ["staging"] : (models ?? "").split(",");
  const stage = service === "executor" ? "act" : "solve";
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

test("cert-manager's certificates bring the Secrets and the names that ours have, and only the servers' may open a connection", async () => {
  const objects = [
    ...(await renderWith("overlays/prod/system", ["cert-manager", "cert-manager-client"])),
    ...(await renderWith("overlays/prod/executor", ["cert-manager-client"])),
  ];
  const certificates = objects
    .filter(({ kind }) => kind === "Certificate")
    .map(({ metadata, spec }) => ({
      namespace: metadata.namespace,
      ...(spec as unknown as CertificateSpec),
    }));
  const made = (await prodSecrets()).filter(({ metadata }) => metadata.name.startsWith("backbone-"));
  expect(certificates.map(({ namespace, secretName }) => `${namespace}/${secretName}`).sort()).toEqual(
    made.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort(),
  );
  for (const { secretName, dnsNames = [], usages } of certificates) {
    expect([...dnsNames].sort()).toEqual(secretName === "backbone-tls" ? [...backboneNames].sort() : []);
    expect(usages.some((usage) => /^(server|client) auth$/.test(usage))).toBe(secretName === "backbone-tls");
  }
  const authority = await renderOverlay(join(k8sRoot, "cert-manager"));
  await using cluster = await startTestCluster();
  await cluster.kubectl(["apply", "-f", crds("cert-manager")]);
  await cluster.kubectl(["create", "namespace", "cert-manager"]);
  expect(await cluster.apply(authority)).toMatchObject({ code: 0, stderr: "" });
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
  expect((await can("create", "serviceaccounts/token", "-n", "operators")).stdout).toBe("yes");
  // Of what an agent's command made or changed `undo_last_action` takes back all but pods, which follow from the others.
  expect((await can("delete", "deployments", "-n", "shop")).stdout).toBe("yes");
  expect((await can("delete", "pods", "-n", "shop")).stdout).toBe("no");
  expect((await can("get", "secrets", "-n", "shop")).stdout).toBe("no");
});
