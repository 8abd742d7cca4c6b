import { AppError, type Logger, terminal } from "@microremed/core";
import type { PodsOpener } from "../open-sandbox.ts";
import { runConfined } from "../run-confined.ts";
import type { PodsSandbox } from "../sandbox.types.ts";
import type { RunnerHost } from "./runner-host.types.ts";
import { removeLostRunners, startRunnerJanitor } from "./runner-janitor.ts";
import { createRunnerPool, type RunnerPool } from "./runner-pool.ts";
import type { RunnerSettings } from "./runner-settings.ts";

/** Where runner pods are made, and what they are like. */
export interface PodsOpenerOptions {
  readonly connect: () => Promise<RunnerHost>;
  readonly settings: RunnerSettings;
  readonly log: Logger;
}

/** What an executor does with pods: verbs by resource. */
const rights: Readonly<Record<string, readonly string[]>> = {
  pods: ["create", "get", "list", "patch", "delete"],
  // A WebSocket is opened with GET; newer API servers ask for both.
  "pods/exec": ["create", "get"],
};
const trialMs = 60_000;
/** The name that certificates of API servers hold, under which most runs reach theirs. */
const usualName = "kubernetes.default.svc";

/** The way to runner pods on a cluster, which is connected to on first use. */
export function createPodsOpener({ connect, settings, log }: PodsOpenerOptions): PodsOpener {
  let connected: Promise<RunnerHost> | undefined;
  const host = (): Promise<RunnerHost> => {
    connected ??= connect();
    return connected;
  };
  return {
    async trouble() {
      try {
        return await missingRights(await host(), settings.namespace);
      } catch (thrown) {
        return AppError.from(thrown).message;
      }
    },
    open: async () => openPods(await host(), settings, log),
  };
}

async function missingRights({ cluster }: RunnerHost, namespace: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (const [resource, verbs] of Object.entries(rights)) {
    for (const verb of verbs) {
      const [name = "", subresource] = resource.split("/");
      const review = await cluster.create({
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        metadata: { name: "" },
        spec: {
          resourceAttributes: { namespace, verb, resource: name, ...(subresource && { subresource }) },
        },
      });
      const { allowed } = (review["status"] ?? {}) as { allowed?: boolean };
      if (allowed !== true) missing.push(`${verb} ${resource}`);
    }
  }
  if (missing.length === 0) return undefined;
  return `the executor may not ${missing.join(", ")} in namespace ${namespace}; apply k8s/base/runners`;
}

async function openPods(host: RunnerHost, settings: RunnerSettings, log: Logger): Promise<PodsSandbox> {
  const { owner, network, namespace, memory } = settings;
  if (network === "unenforced") {
    log.warn(
      { namespace },
      "runner pods are not tried for what they can reach, as SANDBOX_NETWORK=unenforced asks for",
    );
  }
  await using opening = new AsyncDisposableStack();
  await removeLostRunners(host, settings, (of) => of === owner);
  const pool = opening.use(createRunnerPool(host, settings, { log, names: [usualName] }));
  const tools = await toolsOf(pool, memory);
  log.info({ namespace, image: settings.image, ...pool.counts }, "untrusted code is run in pods");
  opening.use(startRunnerJanitor(host, settings, log));
  const owned = opening.move();
  const runners: RunnerPool = {
    take: pool.take,
    get counts() {
      return pool.counts;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return { kind: "pods", runners, memory, tools };
}

/** What the image has, found out by a run. */
async function toolsOf(runners: RunnerPool, memory: string): Promise<PodsSandbox["tools"]> {
  const sandbox: PodsSandbox = {
    kind: "pods",
    runners,
    memory,
    tools: { ansible: undefined, kubectl: undefined },
  };
  const end = await runConfined({
    sandbox,
    kubeconfig: "",
    argv: ["/bin/bash", "-c", "for one in ansible-playbook kubectl; do command -v $one || exit 1; done"],
    files: {},
    timeoutMs: trialMs,
  });
  const [ansible = "", kubectl = ""] = end.output.trim().split("\n");
  if (end.exitCode === 0)
    return { ansible: { path: ansible, real: ansible }, kubectl: { path: kubectl, real: kubectl } };
  throw terminal(
    "sandbox-unavailable",
    `the image of runner pods must have bash, Python 3, ansible-playbook and kubectl; a trial in it ended as ${end.how} (exit code ${end.exitCode}): ${end.output.trim() || "it printed nothing"}`,
  );
}
