import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestApi } from "./testing/test-api.ts";

const mebibyte = "x".repeat(1_000_000);

test("one client's large objects end at the bound of its namespace, and no other client notices", async () => {
  await using cluster = await startTestApi();
  const { kubectl } = cluster;
  await kubectl("create", "namespace", "shop");
  await kubectl("create", "namespace", "other");
  await kubectl("create", "rolebinding", "anne", "--clusterrole=edit", "--user=anne", "-n", "shop");
  const file = join(cluster.dir, "anne.kubeconfig");
  await writeFile(
    file,
    await cluster.api.userKubeconfig({ name: "anne", groups: [] }, { namespace: "shop" }),
  );
  const anne = (...args: string[]): Promise<string> => kubectl("--kubeconfig", file, ...args);
  const large = async (index: number, text = mebibyte): Promise<string> => {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `large-${index}` },
      data: { text },
    };
    const path = join(cluster.dir, `large-${index}.json`);
    await writeFile(path, JSON.stringify(object));
    return anne("create", "-f", path);
  };

  let said = "";
  let made = 0;
  for (; made < 100 && !said.includes("forbidden"); made++) said = await large(made);
  expect(made).toBeGreaterThan(20);
  expect(made).toBeLessThan(40);
  expect(said).toMatch(
    /configmaps "large-\d+" is forbidden: exceeded quota: object-bytes, requested: bytes=\d+, used: bytes=\d+, limited: bytes=33554432/,
  );
  // What makes nothing larger goes on, and so does the administrator, who may have to repair it.
  expect(await anne("label", "configmap", "large-0", "a=b")).toContain("labeled");
  expect(await anne("delete", "configmap", "large-1")).toContain("deleted");
  expect(await kubectl("create", "configmap", "ours", "-n", "shop", "--from-literal=a=b")).toContain(
    "created",
  );
  expect(await kubectl("create", "configmap", "ours", "-n", "other", "--from-literal=a=b")).toContain(
    "created",
  );
  expect(await large(200)).toContain("created");
});
