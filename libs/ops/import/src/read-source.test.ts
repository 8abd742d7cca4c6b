import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { pack } from "tar-stream";
import { expect, onTestFinished, test } from "vitest";
import { readSource } from "./read-source.ts";

const none = (): Readable => Readable.from([]);

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
  expect(await readSource(folder, none)).toEqual({ name: "shop", texts: read, left: [] });
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
    expect(await readSource(join(parent, name), none), name).toEqual({ name: "shop", texts: read, left: [] });
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
  const piped = await readSource("-", () => Readable.from([Buffer.from("a: "), Buffer.from("1")]));
  expect(piped.texts).toEqual([{ name: "manifests.yaml", text: "a: 1" }]);
});

test("what is not there, or cannot be built, is answered with what to do", async () => {
  await expect(readSource("/nowhere", none)).rejects.toThrow("there is no /nowhere; expected a folder");
  const folder = await aFolder({ "kustomization.yaml": "resources: [none.yaml]\n" });
  await expect(readSource(folder, none)).rejects.toThrow(/kubectl kustomize .*render it yourself/s);
});

const mostBytes = 4 * 1024 * 1024;

test("a file that is too big is refused, and named where it is one of many", async () => {
  const folder = await aFolder({ "a.yaml": "a: 1\n", "big.yaml": "" });
  await truncate(join(folder, "big.yaml"), 5 * 2 ** 30);
  const tooBig = "big.yaml: it has 5368709120 bytes, at most 4194304 are read; leave out what is not needed";
  await expect(readSource(join(folder, "big.yaml"), none)).rejects.toThrow(tooBig);
  const { texts, left } = await readSource(folder, none);
  expect(texts.map(({ name }) => name)).toEqual(["a.yaml"]);
  expect(left).toEqual([tooBig]);
});

test.each(["shop.zip", "shop.tar.gz"])("of %s, too, files that are too big are named", async (archive) => {
  const folder = await aFolder({ "a.yaml": "a: 1\n" });
  const parent = dirname(folder);
  const big = Buffer.alloc(mostBytes + 1, 32);
  await writeFile(join(folder, "big.yaml"), big);
  execFileSync("tar", ["-czf", "shop.tar.gz", "shop"], { cwd: parent });
  const bytes = { "shop/a.yaml": Buffer.from("a: 1\n"), "shop/big.yaml": big };
  await writeFile(join(parent, "shop.zip"), zipSync(bytes));
  const { texts, left } = await readSource(join(parent, archive), none);
  expect(texts).toEqual([{ name: "a.yaml", text: "a: 1\n" }]);
  expect(left).toEqual([expect.stringContaining("shop/big.yaml: it has 4194305 bytes")]);
});

test("a small archive that holds very much is refused before it is unpacked", async () => {
  const folder = await aFolder({ "a.yaml": "a: 1\n" });
  const entries = Array.from({ length: 65 }, (_, at) => [`${at}.yaml`, Buffer.from("a: 1")]);
  const archive = Buffer.from(zipSync(Object.fromEntries(entries)));
  // What its directory says of each file.
  const inDirectory = Buffer.from("PK\u0001\u0002");
  for (let at = archive.indexOf(inDirectory); at >= 0; at = archive.indexOf(inDirectory, at + 1))
    archive.writeUInt32LE(mostBytes, at + 24);
  await writeFile(join(folder, "bomb.zip"), archive);
  await expect(readSource(join(folder, "bomb.zip"), none)).rejects.toThrow(
    "bomb.zip holds more than 268435456 bytes; make one of the folder with the manifests",
  );
});

test("and a tar.gz once it has given as much", async () => {
  const folder = await aFolder({ "a.yaml": "a: 1\n" });
  await writeFile(join(folder, "big.bin"), "");
  await truncate(join(folder, "big.bin"), 256 * 2 ** 20 + 1);
  execFileSync("tar", ["--use-compress-program=gzip -1", "-cf", "bomb.tar.gz", "big.bin"], { cwd: folder });
  await expect(readSource(join(folder, "bomb.tar.gz"), none)).rejects.toThrow(
    "bomb.tar.gz holds more than 268435456 bytes; make one of the folder with the manifests",
  );
});

test.each(["shop.tar.gz", "shop.tar", "shop.zip"])("%s that was cut off is refused", async (name) => {
  const folder = await aFolder({ "readme.md": "" });
  const text = randomBytes(50_000).toString("hex");
  for (const file of ["a.yaml", "b.yaml"]) await writeFile(join(folder, file), text);
  execFileSync("tar", [name.endsWith("gz") ? "-czf" : "-cf", name, "a.yaml", "b.yaml"], { cwd: folder });
  if (name.endsWith("zip"))
    await writeFile(
      join(folder, name),
      zipSync({ "a.yaml": Buffer.from(text), "b.yaml": Buffer.from(text) }),
    );
  const whole = await readFile(join(folder, name));
  for (const share of [0.25, 0.75]) {
    await writeFile(join(folder, name), whole.subarray(0, Math.floor(share * whole.length)));
    await expect(readSource(join(folder, name), none), `${share}`).rejects.toThrow(
      new RegExp(`${name} cannot be unpacked: .*; expected a whole archive`),
    );
  }
});

test("an archive with too many files is refused", async () => {
  const folder = await aFolder({ "a.yaml": "a: 1\n" });
  const names = Array.from({ length: 5_001 }, (_, at) => `${at}.yaml`);
  const tar = pack();
  for (const name of names) tar.entry({ name }, "");
  tar.finalize();
  const bytes = await buffer(tar);
  await writeFile(join(folder, "shop.tar"), bytes);
  await writeFile(join(folder, "shop.tgz"), gzipSync(bytes));
  await writeFile(
    join(folder, "shop.zip"),
    zipSync(Object.fromEntries(names.map((name) => [name, Buffer.of()]))),
  );
  for (const name of ["shop.tar", "shop.tgz", "shop.zip"])
    await expect(readSource(join(folder, name), none), name).rejects.toThrow(
      `${name} has more than 5000 files; make one of the folder with the manifests`,
    );
});

test("nothing more is read once it is aborted: of standard input, an archive, a program", async () => {
  const folder = await aFolder({ "shop/kustomization.yaml": "resources: []\n", "shop/a.yaml": "a: 1\n" });
  execFileSync("tar", ["-czf", "shop.tgz", "shop"], { cwd: folder });
  const aborted = AbortSignal.abort(new Error("interrupted"));
  const silent = new Readable({ read() {} });
  for (const source of ["-", join(folder, "shop.tgz"), join(folder, "shop")])
    await expect(
      readSource(source, () => silent, aborted),
      source,
    ).rejects.toThrow("interrupted");
  const soon = new AbortController();
  const reading = readSource("-", () => new Readable({ read() {} }), soon.signal);
  soon.abort(new Error("interrupted"));
  await expect(reading).rejects.toThrow("interrupted");
});

test("of standard input that goes on and on no more is read", async () => {
  let chunks = 0;
  const endless = Readable.from(
    (function* () {
      for (; chunks < 10_000; chunks++) yield Buffer.alloc(65_536, 35);
    })(),
  );
  await expect(readSource("-", () => endless)).rejects.toThrow("stdin has more than 4194304 bytes");
  expect(chunks).toBeLessThan(1000);
});
