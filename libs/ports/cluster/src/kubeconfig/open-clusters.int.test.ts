import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { openClusters } from "./open-clusters.ts";

const entry = (name: string, more = {}) => ({ name, kubeconfig: `${name}.kubeconfig`, ...more });
const kubeconfig = JSON.stringify({
  "current-context": "c",
  clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:9" } }],
  users: [{ name: "u", user: { token: "t" } }],
  contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
});

/** Files mounted as Kubernetes does it: `..data` is a link to a folder, and is swapped for another. */
async function mounted() {
  const dir = await mkdtemp(join(tmpdir(), "microremed-test-"));
  let version = 0;
  const put = async (clusters: unknown): Promise<void> => {
    const folder = `..v${++version}`;
    await mkdir(join(dir, folder));
    await writeFile(join(dir, folder, "clusters.yaml"), JSON.stringify(clusters));
    await symlink(folder, join(dir, "..data_tmp"));
    await rename(join(dir, "..data_tmp"), join(dir, "..data"));
  };
  await symlink(join("..data", "clusters.yaml"), join(dir, "clusters.yaml"));
  for (const name of ["a", "b"]) await writeFile(join(dir, `${name}.kubeconfig`), kubeconfig);
  const file = join(dir, "clusters.yaml");
  return { file, put, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}

test("follows a file that is swapped by a link; a wrong one changes nothing", async () => {
  await using files = await mounted();
  await files.put({ clusters: [entry("a"), entry("b")] });
  const errors: string[] = [];
  const log = { ...silentLogger, error: (fields: object) => void errors.push(JSON.stringify(fields)) };
  await using clusters = await openClusters(files.file, { log, everyMs: 10 });
  let changes = 0;
  using _listening = clusters.onChange(() => void changes++);
  const first = await clusters.get("a");
  const second = await clusters.get("b");

  await files.put({ clusters: [entry("a", { arenas: 0 })] });
  await expect.poll(() => errors.length).toBe(1);
  expect(errors[0]).toMatch(/arenas/);
  expect(clusters.names).toEqual(["a", "b"]);

  await files.put({ clusters: [entry("b", { arenas: 3 })] });
  await expect.poll(() => clusters.names).toEqual(["b"]);
  expect(changes).toBe(1);
  expect(clusters.entries[0]?.arenas).toBe(3);
  // More arenas are no reason to connect again, and who has left is served until it is forgotten.
  expect(await clusters.get("b")).toBe(second);
  expect(await clusters.get("a")).toBe(first);
  await clusters.forget("a");
  await expect(clusters.get("a")).rejects.toMatchObject({ code: "unknown-cluster" });

  await files.put({ clusters: [entry("b", { kubeconfig: "a.kubeconfig" })] });
  await expect.poll(() => changes).toBe(2);
  expect(await clusters.get("b")).not.toBe(second);
});
