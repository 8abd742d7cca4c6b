import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { retryable } from "@microremed/core";
import { execa } from "execa";
import { cacheRoot, keepBuild, limitCache, noteUse } from "./cache.ts";
import { exists } from "./exists.ts";

/** An image of Debian packages. */
export interface DebianImage {
  /** Its full name with its tag. */
  readonly name: string;
  readonly packages: readonly string[];
  /** Symbolic links, target by path. */
  readonly links?: Readonly<Record<string, string>>;
  /** Files of this machine that are copied into it, source by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Texts of small files by path; executable. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
}

/** An image as the registry serves it: a folder with its blobs, each named by its digest. */
export interface StoredImage {
  /** Full, with host and tag. */
  readonly name: string;
  readonly dir: string;
  /** Digest. */
  readonly manifest: string;
  /** Digests of all that it consists of. */
  readonly blobs: readonly string[];
}

const withinMs = 900_000;
/** Raised when other images follow from the same description. */
const format = 2;

/**
 * Makes an image of Debian's packages and all that they depend on, unpacked without their scripts. Images are made once
 * and kept in `cacheRoot`. Takes apt.
 */
export async function debianImage(image: DebianImage): Promise<StoredImage> {
  const key = createHash("sha256")
    .update(JSON.stringify([format, image]))
    .digest("hex")
    .slice(0, 12);
  const folder = join(cacheRoot, "images");
  const dir = join(folder, `${image.name.replaceAll(/[^\w.-]/g, "_")}-${key}`);
  if (!(await exists(dir))) {
    await mkdir(folder, { recursive: true });
    const work = await mkdtemp(join(folder, "making-"));
    try {
      const root = join(work, "root");
      await unpackPackages(image, join(work, "packages"), root);
      await addFiles(image, root);
      await writeBlobs(image, root, join(work, "image"));
      await keepBuild(join(work, "image"), dir);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    await limitCache(folder);
  }
  await noteUse(dir);
  const blobs = (await readdir(dir)).filter((file) => file.startsWith("sha256:"));
  return { name: image.name, dir, manifest: await readFile(join(dir, "manifest"), "utf8"), blobs };
}

/** apt chooses the packages as for a machine on which nothing is installed. */
async function unpackPackages(
  { name: image, packages }: DebianImage,
  cache: string,
  root: string,
): Promise<void> {
  const tree = ["bin", "sbin", "lib", "lib64"].map((name) => `usr/${name}`);
  for (const path of [...tree, "tmp", "etc", "var/log", "run", "root"])
    await mkdir(join(root, path), { recursive: true });
  for (const name of ["bin", "sbin", "lib", "lib64"]) await symlink(`usr/${name}`, join(root, name));
  await symlink("/run", join(root, "var/run"));
  await chmod(join(root, "tmp"), 0o1777);
  await writeFile(
    join(root, "etc/passwd"),
    "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
  );
  await writeFile(join(root, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
  await writeFile(join(root, "etc/nsswitch.conf"), "hosts: files dns\n");
  if (packages.length === 0) return;
  await mkdir(join(cache, "partial"), { recursive: true });
  await writeFile(join(cache, "status"), "");
  const options = [`Dir::State::status=${join(cache, "status")}`, `Dir::Cache::archives=${cache}`];
  const args = ["--download-only", "--no-install-recommends", "-y", "-qq", "install", ...packages];
  const words = [...options.flatMap((option) => ["-o", option]), ...args];
  const fetched = await execa("apt-get", words, { timeout: withinMs, reject: false });
  if (fetched.failed)
    throw retryable(
      "internal",
      `no image ${image}: apt-get does not get ${packages.join(", ")}: ${whyFailed(fetched)}. Old lists of packages name files that are gone: \`apt-get update\``,
    );
  const files = (await readdir(cache)).filter((file) => file.endsWith(".deb"));
  for (const file of files) {
    // dpkg-deb would replace the links of a merged /usr by directories.
    const unpack = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"';
    const unpacked = await execa("sh", ["-c", unpack, "sh", join(cache, file), root], {
      timeout: withinMs,
      reject: false,
    });
    if (unpacked.failed)
      throw retryable("internal", `no image ${image}: ${file} does not unpack: ${whyFailed(unpacked)}`);
  }
}

/** What a program said of its failure, or how it ended. */
const whyFailed = ({
  stderr,
  shortMessage,
}: {
  readonly stderr: string;
  readonly shortMessage?: string | undefined;
}) => stderr.trim() || shortMessage;

async function addFiles({ links = {}, files = {}, texts = {} }: DebianImage, root: string): Promise<void> {
  const into = async (path: string): Promise<string> => {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    return target;
  };
  for (const [path, target] of Object.entries(links)) {
    // A package's own program is used where there is one.
    if (!(await exists(join(root, path)))) await symlink(target, await into(path));
  }
  for (const [path, source] of Object.entries(files)) await copyFile(source, await into(path));
  for (const [path, text] of Object.entries(texts)) await writeFile(await into(path), text, { mode: 0o755 });
}

const layerType = "application/vnd.oci.image.layer.v1.tar";
const configType = "application/vnd.oci.image.config.v1+json";
export const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** One layer, a configuration and a manifest as the OCI image specification has them; `manifest` names the last one. */
async function writeBlobs(image: DebianImage, root: string, dir: string): Promise<void> {
  await mkdir(dir);
  const layer = join(dir, "layer");
  const options = ["--sort=name", "--mtime=@0", "--numeric-owner"];
  await execa("tar", [...options, "-cf", layer, "-C", root, "."], { timeout: withinMs });
  const layerDigest = await digestOfFile(layer);
  const { size } = await stat(layer);
  await rename(layer, join(dir, layerDigest));
  const save = async (value: object, mediaType: string) => {
    const text = JSON.stringify(value);
    const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    await writeFile(join(dir, digest), text);
    return { mediaType, digest, size: Buffer.byteLength(text) };
  };
  const config = await save(configOf(image, layerDigest), configType);
  const layers = [{ mediaType: layerType, digest: layerDigest, size }];
  const manifest = await save({ schemaVersion: 2, mediaType: manifestType, config, layers }, manifestType);
  await writeFile(join(dir, "manifest"), manifest.digest);
}

const standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function configOf({ name, entrypoint, command }: DebianImage, layer: string) {
  return {
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    os: "linux",
    config: {
      Env: [`PATH=${standardPath}`],
      ...(entrypoint && { Entrypoint: entrypoint }),
      ...(command && { Cmd: command }),
    },
    rootfs: { type: "layers", diff_ids: [layer] },
    // Tags of the same content would be one image, of which a pod's status names the first.
    history: [{ created_by: name }],
  };
}

/** `sha256:` and the hash of its content. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest("hex")}`;
}
