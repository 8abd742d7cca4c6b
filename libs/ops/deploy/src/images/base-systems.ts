import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathWithSbin } from "@microremed/servers";
import { execa } from "execa";

const env = { PATH: pathWithSbin };
const withinMs = 1_800_000;

/**
 * Makes the file system of `debian:bookworm-slim`, from Debian's own packages. Takes root and debootstrap. What debootstrap
 * mounts there ends with it, however it ends: what removes the folder afterwards must not walk through this machine's /proc.
 */
export async function makeDebian(target: string): Promise<void> {
  const make = ["debootstrap", "--variant=minbase", "bookworm", target];
  await execa("unshare", ["--mount", "--", ...make], { timeout: withinMs, env });
}

/**
 * Makes what the image of Node has beyond Debian: the node that runs here, and this machine's npm. Where this machine
 * has certificates of its own (NODE_EXTRA_CA_CERTS), npm trusts them there too.
 */
export async function makeNode(debian: string, target: string): Promise<void> {
  await execa("cp", ["-a", debian, target], { timeout: withinMs });
  const npm = await execa("sh", ["-c", "dirname $(dirname $(readlink -f $(command -v npm)))"], {
    timeout: withinMs,
  });
  await cp(process.execPath, join(target, "usr/local/bin/node"));
  await mkdir(join(target, "usr/local/lib/node_modules"), { recursive: true });
  await execa("cp", ["-a", npm.stdout.trim(), join(target, "usr/local/lib/node_modules/npm")], {
    timeout: withinMs,
  });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(target, "usr/local/bin/npm"));
  const certificates = process.env["NODE_EXTRA_CA_CERTS"];
  if (certificates === undefined) return;
  await cp(certificates, join(target, "etc/lent-ca.crt"));
  await mkdir(join(target, "usr/local/etc"), { recursive: true });
  await writeFile(join(target, "usr/local/etc/npmrc"), "cafile=/etc/lent-ca.crt\n");
}
