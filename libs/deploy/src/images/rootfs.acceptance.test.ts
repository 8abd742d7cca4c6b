import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startNatsServer, startRedisServer } from "@microremed/servers";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { type Bases, buildRootfs } from "./build-rootfs.ts";
import { imageDefaults } from "./images.ts";

// Builds the images' file systems as their Dockerfiles say, and starts a service from each. Takes root, debootstrap, the
// Debian mirror and the npm registry.
const tools = await execa("sh", ["-c", "command -v debootstrap && command -v bwrap && test $(id -u) = 0"], {
  reject: false,
  env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
});
const possible = tools.exitCode === 0;
const buildWithinMs = 1_800_000;
let dir = "";
let bases: Bases;

beforeAll(async () => {
  if (!possible) return;
  dir = await mkdtemp(join(tmpdir(), "microremed-images-"));
  // The images' user must get through to them.
  await chmod(dir, 0o711);
  const debian = join(dir, "debian");
  await execa("debootstrap", ["--variant=minbase", "bookworm", debian], {
    timeout: buildWithinMs,
    env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
  });
  bases = { DEBIAN: debian, NODE: await withNode(debian, join(dir, "node")) };
  return () => rm(dir, { recursive: true, force: true });
}, buildWithinMs);

/** What the official Node image has beyond Debian: the node that runs here, and npm. */
async function withNode(debian: string, target: string): Promise<string> {
  await execa("cp", ["-a", debian, target]);
  const npm = await execa("sh", ["-c", "dirname $(dirname $(readlink -f $(command -v npm)))"]);
  await cp(process.execPath, join(target, "usr/local/bin/node"));
  await mkdir(join(target, "usr/local/lib/node_modules"), { recursive: true });
  await execa("cp", ["-a", npm.stdout.trim(), join(target, "usr/local/lib/node_modules/npm")]);
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(target, "usr/local/bin/npm"));
  return target;
}

/** The images' user for real: a file that only root may read is missing for it. */
const asUser = { cwd: "/", uid: 10_001, gid: 10_001 } as const;

/** The arguments of bwrap for a container of an image: its user, a read-only root, and /tmp. */
function inside(
  root: string,
  defaults: ReturnType<typeof imageDefaults>,
  env: Record<string, string>,
): string[] {
  const [uid = "0", gid = "0"] = defaults.user.split(":");
  return [
    ...["--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--die-with-parent"],
    ...[
      "--unshare-user",
      "--uid",
      uid,
      "--gid",
      gid,
      "--unshare-pid",
      "--chdir",
      defaults.workingDir,
      "--clearenv",
    ],
    ...Object.entries({ ...defaults.env, ...env }).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
  ];
}

test.runIf(possible)(
  "services: a scheduler starts from the file system that node.Dockerfile makes, without root and without writing",
  async () => {
    const root = await buildRootfs("services", { bases, dir: join(dir, "services"), say: () => undefined });
    await using nats = await startNatsServer({});
    await using redis = await startRedisServer({});
    const clusters = join(root, "etc/clusters.yaml");
    await writeFile(clusters, "clusters: [{ name: x, kubeconfig: none }]\n", { mode: 0o644 });
    const port = await freePort();
    const env = {
      NATS_URL: nats.url,
      REDIS_URL: redis.url,
      CLUSTERS_FILE: "/etc/clusters.yaml",
      HEALTH_PORT: String(port),
    };
    const args = [...inside(root, imageDefaults("services"), env), "node", "services/scheduler/src/main.ts"];
    const child = spawn("bwrap", args, { ...asUser, stdio: "ignore" });
    try {
      const ready = (): Promise<number> =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(ready, { timeout: 120_000, interval: 500 }).toBe(200);
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  },
  buildWithinMs,
);

test.runIf(possible)(
  "range: the command line runs from its image",
  async () => {
    const root = await buildRootfs("range", { bases, dir: join(dir, "range"), say: () => undefined });
    const args = [...inside(root, imageDefaults("range"), {}), "node", "libs/cli/bin/microremed.mjs"];
    const { stdout } = await execa("bwrap", [...args, "environments"], { ...asUser, timeout: 120_000 });
    expect(stdout).toContain("train-ticket");
    expect(
      (await execa("bwrap", [...args, "secrets", "dev"], { ...asUser, timeout: 120_000 })).stdout,
    ).toContain("nats");
  },
  buildWithinMs,
);

test.runIf(possible)(
  "executor: Ansible with kubernetes.core, kubectl and bubblewrap are in the image that executor.Dockerfile makes",
  async () => {
    const root = await buildRootfs("executor", { bases, dir: join(dir, "executor"), say: () => undefined });
    const args = inside(root, imageDefaults("executor"), { HOME: "/tmp" });
    const run = (...argv: string[]) =>
      execa("bwrap", [...args, ...argv], { ...asUser, timeout: 300_000, all: true });
    expect((await run("ansible-doc", "-t", "module", "kubernetes.core.k8s")).stdout).toContain(
      "KUBERNETES.CORE.K8S",
    );
    expect((await run("python3", "-c", "import kubernetes; print(kubernetes.__version__)")).exitCode).toBe(0);
    expect((await run("kubectl", "version", "--client")).stdout).toMatch(/v1\.(2[7-9]|[3-9]\d)/);
    expect((await run("bwrap", "--version")).stdout).toMatch(/bubblewrap/);
    expect((await run("node", "--version")).stdout).toMatch(/^v24/);
    expect((await run("sh", "-c", "! touch /app/x")).exitCode).toBe(0);
  },
  buildWithinMs,
);
