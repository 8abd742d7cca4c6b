import { AppError } from "@microremed/core";
import type { Kubectl } from "./kubectl.ts";
import { rightsWanted } from "./rights-wanted.ts";
import { type NodeInfo, type Runtime, runtimeOf } from "./runtime.ts";

/** One requirement of a cluster under test, and its state. */
export interface TargetCheck {
  readonly name: "api server" | "nodes" | "chaos mesh" | "metrics" | "accounts" | "rights";
  readonly ok: boolean;
  readonly found: string;
  /** What to do; empty when nothing is. */
  readonly advice: string;
}

export interface TargetState {
  readonly checks: readonly TargetCheck[];
  readonly hasChaosMesh: boolean;
  /** Installed, whether it answers now or not. */
  readonly hasMetrics: boolean;
  /** Of the nodes, when they have one in common. */
  readonly runtime: Runtime | undefined;
}

const oldestMinor = 25;
/** The Chaos Mesh that the range is built for. */
export const chaosMeshVersion = "2.7.3";
const prepare = "microremed cluster prepare --kubeconfig ...";

/** `major` and `minor` are empty or have a plus on some distributions, so only gitVersion is read. */
function isRecent(gitVersion: string | undefined): boolean {
  const [, major = "0", minor = "0"] = /^v?(\d+)\.(\d+)/.exec(gitVersion ?? "") ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= oldestMinor);
}

/** Checks a cluster and changes nothing. Throws `cluster-refused` when it cannot be reached at all. */
export async function inspectTarget(kubectl: Kubectl): Promise<TargetState> {
  const { gitVersion } = JSON.parse(await kubectl(["get", "--raw", "/version"])) as Record<string, string>;
  const nodes = await readNodes(kubectl);
  const runtimes = new Map(nodes.map((node) => [node.runtime?.socketPath, node.runtime]));
  const runtime = runtimes.size === 1 ? nodes[0]?.runtime : undefined;
  const groups = (await kubectl(["api-versions"])).split("\n");
  const hasChaosMesh = groups.includes("chaos-mesh.org/v1alpha1");
  const servesMetrics = groups.includes("metrics.k8s.io/v1beta1");
  // An API that an extension serves is not listed while that does not answer.
  const metricsService = ["get", "apiservices", "v1beta1.metrics.k8s.io", "--ignore-not-found", "-o", "name"];
  const hasMetrics = servesMetrics || (await kubectl(metricsService)).trim() !== "";
  const unready = nodes.filter(({ ready }) => !ready).map(({ name }) => name);
  return {
    hasChaosMesh,
    hasMetrics,
    runtime,
    checks: [
      check(
        "api server",
        isRecent(gitVersion),
        gitVersion ?? "",
        `Kubernetes 1.${oldestMinor} or newer is needed`,
      ),
      check(
        "nodes",
        unready.length === 0 && nodes.length > 0,
        `${nodes.length} ${nodes.length === 1 ? "node" : "nodes"}, ${[...new Set(nodes.map((node) => node.info.containerRuntimeVersion))].join(", ")}`,
        unready.length > 0 ? `not Ready: ${unready.join(", ")}` : "the cluster has no nodes",
      ),
      hasChaosMesh
        ? await checkChaosMesh(kubectl, runtime)
        : check("chaos mesh", false, "not installed", `${prepare} installs ${chaosMeshVersion} with helm`),
      check(
        "metrics",
        servesMetrics,
        servesMetrics ? "served" : hasMetrics ? "installed, but gives no answer" : "not served",
        hasMetrics
          ? "`kubectl describe apiservice v1beta1.metrics.k8s.io` says why; then run this again"
          : `${prepare} installs metrics-server`,
      ),
      ...(await checkRights(kubectl)),
    ],
  };
}

function check(name: TargetCheck["name"], ok: boolean, found: string, advice: string): TargetCheck {
  return { name, ok, found, advice: ok ? "" : advice };
}

interface Node {
  readonly name: string;
  readonly ready: boolean;
  readonly info: NodeInfo;
  readonly runtime: Runtime | undefined;
}

async function readNodes(kubectl: Kubectl): Promise<Node[]> {
  const { items } = JSON.parse(await kubectl(["get", "nodes", "-o", "json"])) as {
    items: {
      metadata: { name: string };
      status: { nodeInfo: NodeInfo; conditions?: { type: string; status: string }[] };
    }[];
  };
  return items.map(({ metadata, status }) => ({
    name: metadata.name,
    ready: status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false,
    info: status.nodeInfo,
    runtime: runtimeOf(status.nodeInfo),
  }));
}

interface Controller {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { image: string; command?: string[]; args?: string[] }[];
      };
    };
  };
}

/** Version and runtime of an installed Chaos Mesh. If the API is served but no controllers are found, the check passes. */
async function checkChaosMesh(kubectl: Kubectl, runtime: Runtime | undefined): Promise<TargetCheck> {
  const selector = "app.kubernetes.io/name=chaos-mesh";
  const { items } = JSON.parse(
    await kubectl(["get", "deployments,daemonsets", "-A", "-l", selector, "-o", "json"]),
  ) as { items: Controller[] };
  const containerOf = (kind: string) =>
    items.find((item) => item.kind === kind)?.spec.template.spec.containers[0];
  const manager = containerOf("Deployment");
  const daemon = containerOf("DaemonSet");
  if (!manager || !daemon)
    return {
      name: "chaos mesh",
      ok: true,
      found: "its API is served; no controllers were found",
      advice: `its faults fail without controllers: look for the label ${selector}`,
    };
  const version = /:v?([0-9][^@]*)/.exec(manager.image)?.[1] ?? "unknown";
  const words = [...(daemon.command ?? []), ...(daemon.args ?? [])];
  const socket =
    words[words.indexOf("--runtime-socket-path") + 1] ?? words.find((word) => word.startsWith("/"));
  if (!version.startsWith("2.7."))
    return check(
      "chaos mesh",
      false,
      version,
      `version 2.7 is needed: ${prepare} installs ${chaosMeshVersion}`,
    );
  const wrong = runtime && words.includes("--runtime") && !words.includes(runtime.runtime);
  return check(
    "chaos mesh",
    !wrong,
    `${version}${socket === undefined ? "" : `, ${socket}`}`,
    `its daemon is not configured for the container runtime ${runtime?.runtime}: ${prepare} corrects that`,
  );
}

async function checkRights(kubectl: Kubectl): Promise<TargetCheck[]> {
  const accounts = await kubectl(["get", "serviceaccounts", "-n", "microremed", "-o", "name"]).catch(
    (error) => {
      if (error instanceof AppError && error.code === "cluster-refused") return "";
      throw error;
    },
  );
  const there = rightsWanted
    .map(({ account }) => account)
    .filter((name) => accounts.includes(`serviceaccount/${name}`));
  const missing = there.length === 0 ? [] : await missingRights(kubectl);
  const wanted = new Set(rightsWanted.map(({ account }) => account));
  const all = new Set(there).size === wanted.size;
  return [
    check("accounts", all, [...new Set(there)].join(", ") || "none", `${prepare} creates them`),
    check(
      "rights",
      all && missing.length === 0,
      !all ? "not checked" : missing.length === 0 ? "complete" : `missing ${missing.join(", ")}`,
      prepare,
    ),
  ];
}

/** All at once: a review for each right, answered by the API server's own authorizer. */
async function missingRights(kubectl: Kubectl): Promise<string[]> {
  const reviews = rightsWanted.map(({ account, verb, resource, namespace }) => {
    const [full = "", ...group] = resource.split(".");
    const [plain = "", subresource = ""] = full.split("/");
    return {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user: `system:serviceaccount:microremed:${account}`,
        groups: ["system:serviceaccounts", "system:serviceaccounts:microremed", "system:authenticated"],
        resourceAttributes: { namespace, verb, group: group.join("."), resource: plain, subresource },
      },
    };
  });
  const list = { apiVersion: "v1", kind: "List", items: reviews };
  const answer = await kubectl(
    ["create", "-f", "-", "-o", "jsonpath={.status.allowed} "],
    JSON.stringify(list),
  );
  const allowed = answer.trim().split(/\s+/);
  return rightsWanted.flatMap(({ account, verb, resource }, index) =>
    allowed[index] === "true" ? [] : [`${account}: ${verb} ${resource}`],
  );
}
