import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startNatsServer, startRedisServer } from "@microremed/servers";
import { startSimCluster } from "@microremed/simcluster";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { makeDebian, makeNode } from "./base-systems.ts";
import { type Bases, buildRootfs } from "./build-rootfs.ts";
import { type ImageName, imageDefaults } from "./images.ts";

// Builds the images' file systems as their Dockerfiles say, and starts everything that manifests start from them, as uid
// 10001 with a read-only root. Takes root, debootstrap, the Debian mirror and the npm registry.
const tools = await execa("sh", ["-c", "command -v debootstrap && command -v bwrap && test $(id -u) = 0"], {
  reject: false,
  env: { PATH: `${process.env["PATH"]}:/usr/sbin` },
});
const possible = tools.exitCode === 0;
const buildWithinMs = 1_800_000;
const startWithinMs = 120_000;
let dir = "";
let bases: Bases;

beforeAll(async () => {
  if (!possible) return;
  dir = await mkdtemp(join(tmpdir(), "microremed-images-"));
  // The images' user must get through to them.
  await chmod(dir, 0o711);
  const debian = join(dir, "debian");
  await makeDebian(debian);
  bases = { DEBIAN: debian, NODE: join(dir, "node") };
  await makeNode(debian, bases.NODE);
  return () => rm(dir, { recursive: true, force: true });
}, buildWithinMs);

/** The images' user for real: a file that only root may read is missing for it. */
const asUser = { cwd: "/", uid: 10_001, gid: 10_001 } as const;

/** An image's file system, and what is started from it. */
interface Image {
  readonly root: string;
  /** Runs a program to its end. */
  run(...argv: string[]): Promise<string>;
  /** Starts a program and returns when `url` answers 200; fails with the end of its log. */
  start(argv: readonly string[], env: Record<string, string>, url: string): Promise<AsyncDisposable>;
}

async function build(name: ImageName): Promise<Image> {
  const root = await buildRootfs(name, { bases, dir: join(dir, name), say: () => undefined });
  const args = (env: Record<string, string>) => inside(root, imageDefaults(name), env);
  return {
    root,
    run: async (...argv) => {
      const ran = execa("bwrap", [...args({ HOME: "/tmp" }), ...argv], { ...asUser, timeout: 300_000 });
      return (await ran).stdout;
    },
    start: async (argv, env, url) => {
      const child = execa("bwrap", [...args(env), ...argv], { ...asUser, all: true, reject: false });
      let log = "";
      child.all.on("data", (chunk: Buffer) => {
        log = `${log}${chunk.toString()}`.slice(-4000);
      });
      const stop = async (): Promise<void> => {
        child.kill("SIGKILL");
        await child;
      };
      const answers = (): Promise<string> => curl(url).then((status) => (status === 200 ? "200" : log));
      try {
        await expect.poll(answers, { timeout: startWithinMs, interval: 500 }).toBe("200");
      } catch (error) {
        await stop();
        throw error;
      }
      return { [Symbol.asyncDispose]: stop };
    },
  };
}

/** A status, without checking the certificate; 0: no answer. */
async function curl(url: string): Promise<number> {
  const args = ["-sk", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "5", url];
  return Number((await execa("curl", args, { reject: false, timeout: 10_000 })).stdout);
}

/** The arguments of bwrap for a container of an image: its user, a read-only root, and /tmp. */
function inside(
  root: string,
  defaults: ReturnType<typeof imageDefaults>,
  env: Record<string, string>,
): string[] {
  const [uid = "0", gid = "0"] = defaults.user.split(":");
  return [
    ...["--ro-bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--die-with-parent"],
    ...["--unshare-user", "--uid", uid, "--gid", gid, "--unshare-pid", "--chdir", defaults.workingDir],
    "--clearenv",
    ...Object.entries({ ...defaults.env, ...env }).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
  ];
}

/** NATS, Redis and a cluster under test, whose kubeconfig is put into the image. */
async function surroundings(stack: AsyncDisposableStack, root: string): Promise<Record<string, string>> {
  const nats = stack.use(await startNatsServer({}));
  const redis = stack.use(await startRedisServer({}));
  const cluster = stack.use(
    await startSimCluster({ name: "staging", seed: 1, timeScale: 60, environments: [] }),
  );
  await writeFile(join(root, "etc/kubeconfig"), cluster.kubeconfig, { mode: 0o644 });
  const clusters = "clusters: [{ name: staging, kubeconfig: kubeconfig }]\n";
  await writeFile(join(root, "etc/clusters.yaml"), clusters, { mode: 0o644 });
  return { NATS_URL: nats.url, REDIS_URL: redis.url, CLUSTERS_FILE: "/etc/clusters.yaml", TMPDIR: "/tmp" };
}

/** Starts a service and returns when it is ready, which takes its connections. */
async function startService(
  image: Image,
  service: string,
  env: Record<string, string>,
): Promise<AsyncDisposable> {
  const port = String(await freePort());
  const argv = ["node", `services/${service}/src/main.ts`];
  return image.start(argv, { ...env, HEALTH_PORT: port }, `http://127.0.0.1:${port}/readyz`);
}

test.runIf(possible)(
  "services: all five start from the file system that node.Dockerfile makes",
  async () => {
    await using stack = new AsyncDisposableStack();
    const image = await build("services");
    const env = { ...(await surroundings(stack, image.root)), REFERENCE_MODELS_URL: "http://127.0.0.1:1/v1" };
    for (const service of ["scheduler", "injector", "remediator", "verifier", "gateway"])
      stack.use(await startService(image, service, env));
    await expect(image.run("sh", "-c", "echo > /app/x")).rejects.toThrow("Read-only file system");
    expect(await image.run("id", "-u")).toBe("10001");
  },
  buildWithinMs,
);

test.runIf(possible)(
  "range: the command line, embedded clusters and reference models run from their image",
  async () => {
    await using stack = new AsyncDisposableStack();
    const image = await build("range");
    const program = ["node", "libs/surface/cli/bin/microremed.mjs"];
    expect(await image.run(...program, "environments")).toContain("train-ticket");
    expect(await image.run(...program, "secrets", "dev")).toContain("name: client-credentials");
    const [first, second] = [await freePort(), await freePort()];
    stack.use(
      await image.start(
        [...program, "cluster", `--port=${first}`, "--kubeconfig=/tmp/kubeconfig"],
        {},
        `https://127.0.0.1:${first}/readyz`,
      ),
    );
    stack.use(
      await image.start(
        [...program, "reference-models", `--port=${second}`],
        {},
        `http://127.0.0.1:${second}/v1/models`,
      ),
    );
    const { NATS_URL = "" } = await surroundings(stack, image.root);
    await image.run("env", `NATS_URL=${NATS_URL}`, ...program, "streams");
  },
  buildWithinMs,
);

test.runIf(possible)(
  "executor: the service starts from the image that executor.Dockerfile makes, and Ansible changes a cluster from it",
  async () => {
    await using stack = new AsyncDisposableStack();
    const image = await build("executor");
    // As k8s/base asks for: the container is the boundary.
    const env = { ...(await surroundings(stack, image.root)), SANDBOX: "none" };
    stack.use(await startService(image, "executor", env));
    const module = ["ansible", "localhost", "-m", "kubernetes.core.k8s", "-a"];
    const made = await image.run(
      ...module,
      "kubeconfig=/etc/kubeconfig state=present kind=Namespace name=from-the-image",
    );
    expect(made).toContain("CHANGED");
    expect(await image.run("kubectl", "--kubeconfig", "/etc/kubeconfig", "get", "namespaces")).toContain(
      "from-the-image",
    );
    expect(await image.run("bwrap", "--version")).toContain("bubblewrap");
    expect(await image.run("id", "-u")).toBe("10001");
    await expect(image.run("sh", "-c", "echo > /app/x")).rejects.toThrow("Read-only file system");
  },
  buildWithinMs,
);
