import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDebian, makeNode, repository } from "@microremed/deploy";
import { execa } from "execa";
import { cacheRoot, keepBuild, limitCache, noteUse } from "./cache.ts";
import type { StoredImage } from "./debian-image.ts";
import { exists } from "./exists.ts";
import { startRegistry } from "./registry.ts";

const withinMs = 3_600_000;
const folder = join(cacheRoot, "images");
const ours = "microremed";
/** Images and layers of our own, so that no other builder's on this machine change. */
const storage = join(cacheRoot, "containers");
/** What `scripts/build-images` reads, as `.dockerignore` says. */
const sources = [
  "package.json",
  "package-lock.json",
  "libs",
  "services",
  "k8s/images",
  "k8s/target",
  "scripts/build-images",
];
/** This package and its like: none of the images' programs imports them. */
const testsAlone = ["libs/ops/real-cluster", "libs/ops/conformance"];
/** Raised when other images follow from the same sources. */
const format = 1;

/**
 * Our three images under the names that the overlays have: built with `scripts/build-images` and buildah, from bases of
 * Debian's packages, and kept in `cacheRoot` until a source changes. Takes root, buildah and debootstrap, Debian's archive
 * and npm's registry.
 */
export async function ownImages(say: (line: string) => void): Promise<StoredImage[]> {
  const dir = join(folder, `own-${await keyOfSources()}`);
  if (!(await exists(dir))) {
    await mkdir(folder, { recursive: true });
    const work = await mkdtemp(join(folder, "making-"));
    try {
      await build(work, say);
      await keepBuild(work, dir);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    await limitCache(folder);
  }
  await noteUse(dir);
  const images = JSON.parse(await readFile(join(dir, "images.json"), "utf8")) as Omit<StoredImage, "dir">[];
  return images.map((image) => ({ ...image, dir }));
}

/** Builds the images and pushes them to a registry whose folder is `dir`; `images.json` lists them. */
async function build(dir: string, say: (line: string) => void): Promise<void> {
  const env = await builderEnvironment();
  const bases = await baseImages(env, say);
  const buildah = async (...args: string[]): Promise<string> =>
    (await execa("buildah", args, { env, timeout: withinMs })).stdout;
  say("our own images");
  await execa("sh", ["scripts/build-images"], {
    cwd: repository,
    timeout: withinMs,
    env: {
      ...env,
      BUILDER: "buildah",
      REGISTRY: `localhost/${ours}`,
      NODE_IMAGE: bases.node,
      DEBIAN_IMAGE: bases.debian,
    },
  });
  await using registry = await startRegistry("127.0.0.1", dir);
  const { host } = new URL(registry.url);
  const listed = await buildah("images", "--noheading", "--format", "{{.Name}}:{{.Tag}}");
  for (const name of listed.split("\n").filter((line) => line.startsWith(`localhost/${ours}/`))) {
    const target = `docker://${host}/docker.io/${name.slice("localhost/".length)}`;
    await buildah("push", "-q", "--tls-verify=false", name, target);
  }
  const images = registry.images().map(({ dir: _, ...image }) => image);
  await writeFile(join(dir, "images.json"), JSON.stringify(images));
  // What is left of earlier builds. The layers of these images stay: Ansible's are slow to make.
  const pruned = await execa("buildah", ["rmi", "--prune"], { env, timeout: withinMs, reject: false });
  // A build that was killed, or that runs now, keeps layers in use.
  if (pruned.exitCode !== 0) say(`buildah keeps layers of other builds: ${pruned.stderr}`);
}

/** The same where no file has changed that the images hold. */
async function keyOfSources(): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([format, process.version]));
  for (const source of sources) await addTo(hash, source);
  return hash.digest("hex").slice(0, 12);
}

async function addTo(hash: ReturnType<typeof createHash>, path: string): Promise<void> {
  if (testsAlone.includes(path)) return;
  const full = join(repository, path);
  const entries = await readdir(full, { withFileTypes: true }).catch(() => undefined);
  if (!entries) {
    hash.update(`\0${path}\0`).update(await readFile(full));
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (!/^node_modules$|\.log$|\.test\.ts$/.test(entry.name)) await addTo(hash, join(path, entry.name));
}

/** Steps run in a plain chroot: a container of their own takes rights that root does not always have. */
async function builderEnvironment(): Promise<Record<string, string>> {
  await mkdir(storage, { recursive: true });
  const file = join(storage, "storage.conf");
  const places = `graphroot = "${join(storage, "images")}"\nrunroot = "${join(storage, "run")}"\n`;
  await writeFile(file, `[storage]\ndriver = "overlay"\n${places}`);
  return { CONTAINERS_STORAGE_CONF: file, BUILDAH_ISOLATION: "chroot" };
}

/** Names of the images' bases in the builder's own storage; they are made once. */
async function baseImages(
  env: Record<string, string>,
  say: (line: string) => void,
): Promise<{ readonly debian: string; readonly node: string }> {
  const bases = {
    debian: "localhost/debian:bookworm-slim",
    node: `localhost/node:${process.version.slice(1)}-bookworm-slim`,
  };
  const isThere = async (name: string): Promise<boolean> =>
    (await execa("buildah", ["inspect", "--type", "image", name], { env, reject: false, timeout: withinMs }))
      .exitCode === 0;
  if ((await isThere(bases.debian)) && (await isThere(bases.node))) return bases;
  const work = await mkdtemp(join(storage, "making-"));
  try {
    say("base images of Debian packages");
    await makeDebian(join(work, "debian"));
    await makeNode(join(work, "debian"), join(work, "node"));
    await commit(join(work, "debian"), bases.debian, env);
    await commit(join(work, "node"), bases.node, env);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return bases;
}

/** Makes an image of one layer of a file system. */
async function commit(root: string, name: string, env: Record<string, string>): Promise<void> {
  const buildah = async (...args: string[]): Promise<string> =>
    (await execa("buildah", args, { env, timeout: withinMs })).stdout.trim();
  const container = await buildah("from", "scratch");
  try {
    // An archive keeps the owners of its files, a folder does not.
    await execa("tar", ["-C", root, "-cf", `${root}.tar`, "."], { timeout: withinMs });
    await buildah("add", "-q", container, `${root}.tar`, "/");
    await buildah("commit", "-q", container, name);
  } finally {
    await buildah("rm", container);
  }
}
