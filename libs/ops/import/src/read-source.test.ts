import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { zipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { readSource } from "./read-source.ts";

const none = async (): Promise<string> => "";

async function aFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-import-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const folder = join(dir, "shop");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const files = {
  "kubernetes/web.yaml": "a: 1\n",
  "kubernetes/db/db.yml": "b: 2\n",
  "config.json": "{}",
  "main.go": "package main",
  ".git/config.yaml": "c: 3\n",
};
const read = [
  { name: "config.json", text: "{}" },
  { name: "kubernetes/db/db.yml", text: "b: 2\n" },
  { name: "kubernetes/web.yaml", text: "a: 1\n" },
];

test("reads manifests and configuration of a folder, and nothing else", async () => {
  const folder = await aFolder(files);
  await symlink("/etc/passwd", join(folder, "link.yaml"));
  expect(await readSource(folder, none)).toEqual({ name: "shop", texts: read });
});

test("reads archives as the folder that they hold", async () => {
  const folder = await aFolder(files);
  const parent = dirname(folder);
  execFileSync("tar", ["-czf", "shop.tar.gz", "--exclude=.git", "shop"], { cwd: parent });
  execFileSync("tar", ["-cf", "shop.tar", "--exclude=.git", "shop"], { cwd: parent });
  const bytes = Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => !name.startsWith(".git"))
      .map(([name, text]) => [`shop/${name}`, Buffer.from(text)]),
  );
  await writeFile(join(parent, "shop.zip"), zipSync(bytes));
  for (const name of ["shop.tar.gz", "shop.tar", "shop.zip"])
    expect(await readSource(join(parent, name), none), name).toEqual({ name: "shop", texts: read });
  await writeFile(join(parent, "bad.tgz"), "no archive");
  await expect(readSource(join(parent, "bad.tgz"), none)).rejects.toThrow("bad.tgz cannot be unpacked");
  expect(await readdir(parent)).not.toContain("kubernetes");
});

test("reads one file, standard input, and a kustomization as kubectl builds it", async () => {
  const folder = await aFolder({
    "kustomization.yaml": "resources: [map.yaml]\nnamePrefix: my-\n",
    "map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n",
  });
  const { texts } = await readSource(folder, none);
  expect(texts[0]?.text).toContain("name: my-settings");
  expect((await readSource(join(folder, "map.yaml"), none)).name).toBe("map");
  const piped = await readSource("-", async () => "a: 1");
  expect(piped.texts).toEqual([{ name: "manifests.yaml", text: "a: 1" }]);
});

test("what is not there, or cannot be built, is answered with what to do", async () => {
  await expect(readSource("/nowhere", none)).rejects.toThrow("there is no /nowhere; expected a folder");
  const folder = await aFolder({ "kustomization.yaml": "resources: [none.yaml]\n" });
  await expect(readSource(folder, none)).rejects.toThrow(/kubectl kustomize .*render it yourself/s);
});
