import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRng, silentLogger } from "@microremed/core";
import { chaosResources } from "@microremed/sim-chaos-mesh";
import type { Exec, ForwardPort } from "@microremed/sim-machine";
import type { KubeObject, Loose } from "@microremed/sim-objects";
import { createStore, type Store } from "@microremed/sim-store";
import { rfc3339 } from "@microremed/sim-time";
import { createApiServer } from "../api-server.ts";
import { seedCluster } from "../bootstrap.ts";
import type { ApiServer, Route } from "../context/api-server.types.ts";

export interface TestApi extends AsyncDisposable {
  readonly api: ApiServer;
  readonly store: Store;
  /** A directory of its own with the admin's `kubeconfig` in it; HOME of the clients. */
  readonly dir: string;
  /** Watches of clients that are open now. */
  watchers(): number;
  /** Cluster time moves only by this. */
  advance(ms: number): void;
  /** Runs a program with the kubeconfig. Never rejects for an exit code. */
  run(program: string, args: readonly string[], input?: string): Promise<Ran>;
  /** What kubectl prints, on either stream, with `rc=` and its exit code at the end. */
  kubectl(...args: string[]): Promise<string>;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const pods = { group: "", resource: "pods" };
const namespaces = { group: "", resource: "namespaces" };
/** Ends a client that hangs, on a busy machine too; below the time limit of a test. */
const deadlineMs = 550_000;

/** Answers what it was asked: arguments on stdout, size of stdin on stderr; `fail` exits with 3. */
const echo: Exec = async ({ command, stdin, stdout, stderr }) => {
  const [program = "", ...args] = command;
  if (program === "missing") return { error: "executable file not found in $PATH" };
  let bytes = 0;
  for await (const chunk of stdin ?? []) {
    bytes += chunk.length;
    if (program === "cat") stdout(chunk);
  }
  if (program !== "cat") stdout(`${args.join(" ")}\n`);
  stderr(`${bytes} bytes\n`);
  return { exitCode: program === "fail" ? 3 : 0 };
};

/** Port 80 sends back what comes in; nothing listens on any other. */
const echoPort: ForwardPort = async ({ port, input, output }) => {
  if (port !== 80) return "connection refused";
  for await (const chunk of input) output(chunk);
  return undefined;
};

function running(pod: KubeObject, at: string): KubeObject {
  const containers: Loose[] = pod.spec?.containers ?? [];
  const containerStatuses = containers.map(({ name, image }) => ({
    name,
    image,
    imageID: image,
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: at } },
  }));
  const conditions = [{ type: "Ready", status: "True" }];
  return {
    ...pod,
    status: { ...pod.status, phase: "Running", podIP: "10.244.0.9", conditions, containerStatuses },
  };
}

/** The least of a kubelet and a namespace controller: pods run at once and go when they are deleted. */
function startStandIns(store: Store, now: () => number): void {
  store.watch(pods, ({ type, object }) => {
    const { namespace, name, deletionTimestamp } = object.metadata;
    queueMicrotask(() => {
      if (type === "ADDED") {
        store.mutate(pods, namespace, name, (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: "node-1" } }));
        store.mutate(pods, namespace, name, (pod) => running(pod, rfc3339(now())), { status: true });
      } else if (deletionTimestamp !== undefined && store.get(pods, namespace, name)) {
        store.delete(pods, namespace, name, { gracePeriodSeconds: 0 });
      }
    });
  });
  store.watch(namespaces, ({ object }) => {
    const { name, deletionTimestamp } = object.metadata;
    if (deletionTimestamp === undefined) return;
    queueMicrotask(() =>
      store.mutate(namespaces, undefined, name, (each) => ({
        ...each,
        spec: { ...each.spec, finalizers: [] },
      })),
    );
  });
}

/** An API server over a bare store on a free port, for tests with real clients. */
export async function startTestApi(
  options: { exec?: Exec; routes?: readonly Route[] } = {},
): Promise<TestApi> {
  let time = Date.parse("2026-01-01T00:00:00Z");
  const now = (): number => time;
  const store = createStore({ now, rng: createRng("test") });
  seedCluster(store, now, chaosResources);
  startStandIns(store, now);
  const usage = { cpu: "250000000n", memory: "65536Ki" };
  let watchers = 0;
  const watch: Store["watch"] = (...given) => {
    watchers += 1;
    const stop = store.watch(...given);
    return () => {
      watchers -= 1;
      stop();
    };
  };
  const api = await createApiServer({
    store: Object.create(store, { watch: { value: watch } }) as Store,
    now,
    installed: chaosResources,
    metrics: {
      pods: (namespace) =>
        store.list(pods, namespace).map(({ metadata }) => ({
          namespace: metadata.namespace ?? "",
          name: metadata.name,
          timestamp: rfc3339(time),
          window: "15s",
          containers: [{ name: "main", usage }],
        })),
      nodes: () => [],
    },
    exec: options.exec ?? echo,
    proxy: async ({ name }) => ({ error: `dial tcp ${name}: connect: connection refused` }),
    forwardPort: echoPort,
    logs: ({ pod }, { tailLines }) =>
      ["one", "two", pod]
        .slice(-(tailLines ?? 3))
        .join("\n")
        .concat("\n"),
    log: silentLogger,
    ...(options.routes && { routes: options.routes }),
  });
  await api.listen();
  const dir = await mkdtemp(join(tmpdir(), "microremed-api-"));
  const kubeconfig = join(dir, "kubeconfig");
  await writeFile(kubeconfig, api.kubeconfig());
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: dir,
    TMPDIR: dir,
    KUBECONFIG: kubeconfig,
    LC_ALL: "C.UTF-8",
  };

  const run: TestApi["run"] = (program, args, input) =>
    new Promise((resolve) => {
      const child = execFile(
        program,
        [...args],
        { env, cwd: dir, timeout: deadlineMs },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
          resolve({ code, stdout, stderr: code === -1 ? `${stderr}${String(error)}` : stderr });
        },
      );
      child.stdin?.end(input);
    });

  return {
    api,
    store,
    dir,
    watchers: () => watchers,
    advance: (ms) => {
      time += ms;
    },
    run,
    kubectl: async (...args) => {
      const { code, stdout, stderr } = await run("kubectl", args);
      return `${stdout}${stderr}rc=${code}`;
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
