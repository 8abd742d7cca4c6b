import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { Cluster, KubeObject } from "@microremed/cluster";
import type { ExecStream } from "@microremed/cluster/kubeconfig";
import type { RunnerHost } from "../pods/runner-host.types.ts";

interface LocalPod {
  readonly holder: ChildProcess;
  /** Its number on this machine. */
  readonly pid: Promise<string>;
}

/** A host whose pods are objects of a cluster and run on this machine. */
export interface LocalRunnerHost extends RunnerHost, AsyncDisposable {
  /** Pods that run now. */
  readonly running: readonly string[];
  /** Kills a pod's programs, as when its node loses power. */
  lose(pod: string): Promise<void>;
}

const etc = [
  "alternatives",
  "ca-certificates",
  "group",
  "ld.so.cache",
  "nsswitch.conf",
  "passwd",
  "python3",
  "ssl",
];
const system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", ...etc.map((name) => `/etc/${name}`)];
const writable = ["/root", "/tmp", "/etc/rancher/k3s"];

/**
 * Runner pods whose objects are a cluster's, which may run no programs, and whose programs run on this machine: each pod
 * is namespaces of its own, made by bubblewrap, and both of its containers are there. Takes Linux with bubblewrap.
 */
export function localRunnerHost(
  cluster: Pick<Cluster, "create" | "get" | "list" | "patch" | "delete">,
): LocalRunnerHost {
  const pods = new Map<string, LocalPod>();
  const end = async (name: string): Promise<void> => {
    const pod = pods.get(name);
    pods.delete(name);
    if (pod?.holder.exitCode !== null || !pod.holder.kill("SIGKILL")) return;
    await once(pod.holder, "exit");
  };
  return {
    get running() {
      return [...pods.keys()];
    },
    lose: end,
    cluster: {
      get: cluster.get,
      list: cluster.list,
      patch: cluster.patch,
      async create(object) {
        const made = await cluster.create(object);
        if (object.kind === "Pod") pods.set(object.metadata.name, startPod(object));
        return made;
      },
      async delete(kind, namespace, name, options) {
        const wasThere = await cluster.delete(kind, namespace, name, options);
        await end(name);
        return wasThere;
      },
    },
    async openExec({ pod, command }) {
      const local = pods.get(pod);
      if (!local) throw new Error(`pod ${pod} does not run`);
      const into = ["--user", "--net", "--mount", "--pid", "--ipc", "--preserve-credentials", "--wd=/"];
      const child = spawn("nsenter", ["-t", await local.pid, ...into, ...command], {
        env: { PATH: "/usr/bin:/bin:/usr/sbin" },
        stdio: ["pipe", "pipe", "pipe"],
      });
      return streamOf(child, local.holder);
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all([...pods.keys()].map(end))),
  };
}

function startPod(object: KubeObject): LocalPod {
  const { hostAliases = [] } = object["spec"] as { hostAliases?: { ip: string; hostnames: string[] }[] };
  const lines = hostAliases.map(({ ip, hostnames }) => `${ip} ${hostnames.join(" ")}`);
  const holder = spawn(
    "bwrap",
    [
      ...["--unshare-user", "--uid", "1000001", "--gid", "1000001", "--unshare-pid", "--unshare-net"],
      ...["--unshare-ipc", "--die-with-parent", "--info-fd", "3"],
      ...system.flatMap((path) => ["--ro-bind-try", path, path]),
      ...["--proc", "/proc", "--dev", "/dev"],
      ...writable.flatMap((path) => ["--tmpfs", path]),
      ...["--ro-bind-data", "4", "/etc/hosts", "--chdir", "/", "--"],
      ...["sh", "-c", "echo started; exec sleep infinity"],
    ],
    { stdio: ["ignore", "pipe", "inherit", "pipe", "pipe"] },
  );
  const [, stdout, , info, hosts] = holder.stdio;
  if (!stdout || !info || !hosts || !("end" in hosts)) throw new TypeError("bwrap has no pipes");
  hosts.end(`127.0.0.1 localhost\n${lines.join("\n")}\n`);
  // Its number is known before its namespaces can be entered.
  const started = Promise.race([once(stdout, "data"), once(stdout, "close")]);
  const pid = (async () => {
    let text = "";
    for await (const chunk of info as AsyncIterable<Buffer>) {
      text += chunk.toString("utf8");
      const found = /"child-pid": (\d+)/.exec(text)?.[1];
      if (found === undefined || !text.includes("}")) continue;
      await started;
      return found;
    }
    throw new Error(`a pod on this machine did not start: ${text}`);
  })();
  pid.catch(() => undefined);
  return { holder, pid };
}

function streamOf(child: ChildProcess, holder: ChildProcess): ExecStream {
  const output = new PassThrough();
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new TypeError("the command has no pipes");
  let open = 2;
  for (const stream of [stdout, stderr]) {
    stream.pipe(output, { end: false });
    stream.once("close", () => --open === 0 && output.end());
  }
  stdin.on("error", () => {});
  const ended = once(child, "exit").then(([code]) => {
    if (typeof code === "number" && holder.exitCode === null && holder.signalCode === null) return code;
    throw new Error("the connection closed before the command ended");
  });
  ended.catch(() => undefined);
  return { stdin, output, ended, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}
