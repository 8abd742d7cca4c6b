import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type ListenOptions, type Server, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { kinds } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";

/** Represents every secret: wherever it is found, something escaped. */
export const canary = "canary-7f3a91c5e2";

/** What surrounds a sandbox and must stay out of its reach. */
export interface World extends AsyncDisposable {
  /** Credentials of the arena's agent, and those of its probes. */
  readonly kubeconfig: string;
  readonly probeKubeconfig: string;
  /** Fills the names of a case's text in; `mark` makes its processes known. */
  fill(text: string, mark: string): string;
  /** Everything that has happened and must not have, in words. */
  damage(): Promise<string[]>;
}

/** A cluster of the world's own, as its administrator reaches it. */
interface Administered {
  readonly url: string;
  readonly kubeconfig: string;
  readonly clockUrl: string;
}

/** Starts servers that must not be reached, and puts secrets where they must not be read. */
export async function startWorld(administered: Administered): Promise<World> {
  await using started = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-world-"));
  started.defer(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o755);
  const open = join(dir, "open");
  await mkdir(open);
  await chmod(open, 0o777);
  const file = join(dir, "models.env");
  await writeFile(file, `OPENAI_API_KEY=${canary}\n`, { mode: 0o644 });
  process.env["MICROREMED_CANARY"] = canary;
  started.defer(() => void delete process.env["MICROREMED_CANARY"]);

  const reached: string[] = [];
  const listen = (what: string, options: ListenOptions) => startServer(started, reached, what, options);
  const unix = join(dir, "bus.sock");
  const abstract = basename(dir);
  const [loopback, any] = await Promise.all([
    listen("the service on the loopback", { host: "127.0.0.1", port: 0 }),
    listen("the service on every address", { host: "::", port: 0 }),
    listen("the socket in the file system", { path: unix }),
    listen("the abstract socket", { path: `\0${abstract}` }),
  ]);
  await chmod(unix, 0o777);
  const udp = createSocket("udp4", () => void reached.push("the datagram socket was reached"));
  udp.bind(0);
  await once(udp, "listening");
  started.defer(() => void udp.close());
  const victim = spawn("/bin/sleep", ["100000"], { env: { SECRET: canary } });
  started.defer(() => void victim.kill("SIGKILL"));
  const cluster = await startArenas(started, administered);
  const corePattern = await readFile("/proc/sys/kernel/core_pattern", "utf8");

  const names: Readonly<Record<string, string>> = {
    FILE: file,
    DIR: open,
    UNIX: unix,
    ABSTRACT: abstract,
    REPO: import.meta.dirname,
    TCP: String(portOf(loopback)),
    ANY: String(portOf(any)),
    UDP: String(udp.address().port),
    HOSTIP: addressOfHost(),
    API: cluster.server,
    HARNESS: String(process.pid),
    VICTIM: String(victim.pid),
    DEEP: "[".repeat(5000) + "]".repeat(5000),
  };
  const owned = started.move();
  return {
    kubeconfig: cluster.kubeconfig,
    probeKubeconfig: cluster.probeKubeconfig,
    fill: (text, mark) =>
      text.replace(/@([A-Z]+)@/g, (all, name) => (name === "MARK" ? mark : (names[name] ?? all))),
    damage: async () => [
      ...reached,
      ...(await readdir(open)).map((name) => `the file ${name} was written on the host`),
      ...(isAlive(victim) ? [] : ["a process of the host was killed"]),
      ...((await readFile("/proc/sys/kernel/core_pattern", "utf8")) === corePattern
        ? []
        : ["a setting was changed"]),
      ...((await readFile(file, "utf8")).includes("planted") ? ["a file of the host was changed"] : []),
      ...(await cluster.damage()),
    ],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A server that answers every request with a canary, and records the request. */
async function startServer(
  started: AsyncDisposableStack,
  reached: string[],
  what: string,
  options: ListenOptions,
): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    reached.push(`${what} was reached`);
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${canary.length}\r\n\r\n${canary}`);
  }).listen(options);
  await once(server, "listening");
  started.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return server;
}

/** Makes two arenas: the case's own, `arena`, and `other`, where it has no business. */
async function startArenas(started: AsyncDisposableStack, sim: Administered) {
  const dir = await mkdtemp(join(tmpdir(), "microremed-world-"));
  started.defer(() => rm(dir, { recursive: true, force: true }));
  const admin = join(dir, "kubeconfig");
  await writeFile(admin, sim.kubeconfig);
  const entry = { name: "sim", kubeconfig: admin, arenas: 1, clock: sim.clockUrl };
  const harness = started.use(await connectCluster(entry, { log: silentLogger }));
  for (const namespace of ["arena", "other"]) {
    const metadata = { namespace };
    await harness.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await harness.apply({ ...configMap, metadata: { ...metadata, name: "keep" }, data: { a: "kept" } });
    const stringData = { password: canary };
    await harness.apply({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { ...metadata, name: "canary" },
      stringData,
    });
    await harness.agentKubeconfig(namespace, { readOnly: false });
  }
  await harness.delete(kinds.secret, "arena", "canary");
  return {
    server: sim.url,
    kubeconfig: await harness.agentKubeconfig("arena", { readOnly: false }),
    probeKubeconfig: await harness.agentKubeconfig("arena", { readOnly: true }),
    damage: async () => {
      const kept = await Promise.all(
        ["arena", "other"].map((ns) => harness.get(kinds.configMap, ns, "keep")),
      );
      const planted = await harness.get(kinds.configMap, "other", "planted");
      const accounts = await harness.list(kinds.serviceAccount, { namespace: "operators" });
      return [
        ...(kept.every((one) => one?.["data"] && JSON.stringify(one["data"]) === '{"a":"kept"}')
          ? []
          : ["an object was changed that the case has no right to change"]),
        ...(planted === undefined ? [] : ["an object was planted in another arena"]),
        ...(accounts.length >= 4 ? [] : ["an account of the harness was deleted"]),
      ];
    },
  };
}

const configMap = { apiVersion: "v1", kind: "ConfigMap" };

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function addressOfHost(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.2";
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
