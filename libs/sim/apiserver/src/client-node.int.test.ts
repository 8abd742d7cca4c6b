import { PassThrough } from "node:stream";
import {
  AppsV1Api,
  CoreV1Api,
  Exec,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  type V1Status,
  Watch,
} from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { startTestApi } from "./testing/test-api.ts";

const podBody = (name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", labels: { app: name } },
  spec: { containers: [{ name: "main", image: "busybox" }] },
});

test("serves the JavaScript client: lists, watches, patches, executes", async () => {
  await using cluster = await startTestApi();
  const config = new KubeConfig();
  config.loadFromString(cluster.api.kubeconfig());
  const core = config.makeApiClient(CoreV1Api);

  const seen: string[] = [];
  const controller = await new Watch(config).watch(
    "/api/v1/namespaces/default/pods",
    { labelSelector: "app=box" },
    (type: string, object: { metadata: { name: string } }) => seen.push(`${type} ${object.metadata.name}`),
    () => {},
  );
  await core.createNamespacedPod({ namespace: "default", body: podBody("box") });
  await core.createNamespacedPod({ namespace: "default", body: podBody("other") });
  await expect.poll(() => seen).toEqual(["ADDED box", "MODIFIED box", "MODIFIED box"]);
  await core.patchNamespacedPod(
    { name: "box", namespace: "default", body: { metadata: { labels: { app: "gone" } } } },
    setHeaderOptions("content-type", PatchStrategy.StrategicMergePatch),
  );
  await expect.poll(() => seen.at(-1)).toBe("DELETED box");
  controller.abort();

  const page = await core.listNamespacedPod({ namespace: "default", limit: 1 });
  expect(page.metadata?.remainingItemCount).toBe(1);
  const rest = await core.listNamespacedPod({
    namespace: "default",
    limit: 1,
    _continue: page.metadata?._continue ?? "",
  });
  expect([...page.items, ...rest.items].map((pod) => pod.metadata?.name)).toEqual(["box", "other"]);

  const stdout = new PassThrough();
  const status = Promise.withResolvers<V1Status>();
  await new Exec(config).exec(
    "default",
    "box",
    "main",
    ["fail", "now"],
    stdout,
    null,
    null,
    false,
    status.resolve,
  );
  expect((await status.promise).details?.causes?.[0]?.message).toBe("3");
  expect(String(stdout.read())).toBe("now\n");

  const objects = KubernetesObjectApi.makeApiClient(config);
  await objects.create({
    apiVersion: "chaos-mesh.org/v1alpha1",
    kind: "StressChaos",
    metadata: { name: "burn", namespace: "default" },
  });
  await expect(
    config.makeApiClient(AppsV1Api).readNamespacedDeployment({ name: "x", namespace: "default" }),
  ).rejects.toMatchObject({ code: 404 });
});
