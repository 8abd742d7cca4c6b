import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "@microremed/core";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironmentFolder } from "./read-folder.ts";
import { environments, readEnvironment } from "./registry.ts";

const ours = join(import.meta.dirname, "../simple-micro");

/** A copy of simple-micro with other files in it; `null`: without the file. */
async function aFolder(files: Readonly<Record<string, string | null>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-environment-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const folder = join(dir, "simple-micro");
  await cp(ours, folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    if (text === null) await rm(path, { recursive: true });
    else await writeFile(path, text);
  }
  return folder;
}

function problemOf(read: () => unknown): string {
  try {
    read();
    return "";
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid-environment") return error.message;
    throw error;
  }
}

const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };
const namesIn = (folder: string) => readEnvironmentFolder(folder).manifests.map(({ name }) => name);

test("a folder is the system that it was copied from", async () => {
  expect(readEnvironment(await aFolder())).toEqual(environments.get("simple-micro"));
});

test("reads YAML and JSON of folders below, in the order of their paths, and nothing else", async () => {
  const folder = await aFolder({
    "manifests/base/b.yml": "",
    "manifests/base/a.json": JSON.stringify(settings),
    "manifests/readme.md": "# not a manifest",
    "manifests/.hidden.yaml": "not: read",
  });
  expect(namesIn(folder)).toEqual([
    "manifests/base/a.json",
    "manifests/base/b.yml",
    "manifests/services.yaml",
    "manifests/workloads.yaml",
  ]);
  expect(readEnvironment(folder).configMaps["settings"]).toEqual({});
});

test("a kustomization is built by kubectl", async () => {
  const resources = "resources: [services.yaml, workloads.yaml]";
  const generator = "configMapGenerator: [{ name: settings, literals: [mode=fast] }]";
  const plain = "generatorOptions: { disableNameSuffixHash: true }";
  const folder = await aFolder({ "manifests/kustomization.yaml": `${resources}\n${generator}\n${plain}\n` });
  expect(namesIn(folder)).toEqual(["manifests"]);
  expect(readEnvironment(folder).configMaps["settings"]).toEqual({ mode: "fast" });
  await writeFile(join(folder, "manifests/kustomization.yaml"), "resources: [nowhere.yaml]");
  expect(problemOf(() => readEnvironmentFolder(folder))).toMatch(/manifests: kubectl kustomize: .*nowhere/s);
});

test.each([
  [{ "workload.yaml": null }, "workload.yaml: expected a file; there is none"],
  [{ manifests: null }, "manifests: expected a folder"],
  [{ "model.yaml": "name: other" }, "model.yaml, description: expected a text"],
  [{ "manifests/a.yaml": "- 1" }, "manifests/a.yaml, document 1: expected a Kubernetes object"],
])("%j is answered with what was expected", async (files, expected) => {
  const folder = await aFolder(files);
  expect(problemOf(() => readEnvironment(folder))).toContain(expected);
});

test("a system has the name of its folder", async () => {
  const folder = await aFolder();
  await cp(folder, join(folder, "../shop"), { recursive: true });
  expect(problemOf(() => readEnvironment(join(folder, "../shop")))).toContain(
    "expected shop, the name of its folder, not simple-micro",
  );
});

test("pipes and huge files are not read", async () => {
  const folder = await aFolder({ "manifests/huge.yaml": "" });
  await truncate(join(folder, "manifests/huge.yaml"), 5_000_000);
  expect(problemOf(() => readEnvironmentFolder(folder))).toContain("huge.yaml: expected a file of at most");
  await rm(join(folder, "manifests/huge.yaml"));
  execFileSync("mkfifo", [join(folder, "manifests/pipe.yaml")]);
  expect(problemOf(() => readEnvironmentFolder(folder))).toContain("pipe.yaml: expected a regular file");
});
