import type {
  Attempted,
  Machine,
  Network,
  PodSandbox,
  ProxyBackend,
  ProxyReply,
  ProxyRequest,
} from "@microremed/sim-machine";
import {
  askHistory,
  askJaeger,
  cadvisorText,
  exporterPort,
  expositionType,
  historyPort,
  historyService,
  jaegerNamespace,
  jaegerPort,
  jaegerService,
  type MetricsHistory,
  type RequestMetrics,
  resourceMetricsText,
  type TraceRecorder,
} from "@microremed/sim-telemetry";
import type { EventLoop } from "@microremed/sim-time";

export interface ProxyDeps {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly network: Network;
  readonly requests: RequestMetrics;
  readonly traces: Pick<TraceRecorder, "traces">;
  readonly history: MetricsHistory;
  readonly node: (name: string) => { readonly cores: number; readonly memory: number } | undefined;
}

/** The API server's proxy gives up on a backend after this, ms of cluster time. */
const timeoutMs = 30_000;

const text = (body: string, contentType = "text/plain; charset=utf-8"): ProxyReply => ({
  status: 200,
  contentType,
  body,
});
const notFound: ProxyReply = {
  status: 404,
  contentType: "text/plain; charset=utf-8",
  body: "404 page not found\n",
};

/** What is behind the API server's `proxy` subresources: kubelets, pods and services. */
export function createProxy(deps: ProxyDeps): ProxyBackend {
  const { loop, machine, network, requests, traces, history } = deps;

  function kubelet(name: string, path: string): ProxyReply {
    const node = deps.node(name);
    if (!node) return { error: `dial tcp: lookup ${name}: no such host` };
    const sandboxes = [...machine.sandboxes.values()].filter(({ nodeName }) => nodeName === name);
    if (path === "/healthz") return text("ok");
    if (path === "/metrics/cadvisor")
      return text(
        cadvisorText({
          nodeCores: node.cores,
          nodeMemory: node.memory,
          sandboxes,
          traffic: requests.traffic,
        }),
        expositionType,
      );
    if (path === "/metrics/resource") return text(resourceMetricsText(sandboxes), expositionType);
    return notFound;
  }

  function exporter(sandbox: PodSandbox, path: string): ProxyReply {
    const body = requests.exposition(sandbox);
    if (body === undefined)
      return { error: `dial tcp ${sandbox.ip}:${exporterPort}: connect: connection refused` };
    return path === "/metrics" ? text(body, expositionType) : notFound;
  }

  /** Every service of this name is Jaeger's query service: of its own namespace, or of all where the cluster's own is. */
  function jaeger({ namespace, path, query }: ProxyRequest): ProxyReply {
    const of = namespace === jaegerNamespace ? undefined : namespace;
    const found = askJaeger({ path, query }, traces.traces(of), loop.now());
    if (!found) return notFound;
    return { status: found.status, contentType: "application/json", body: JSON.stringify(found.body) };
  }

  /** What is measured of the pods of a namespace, over time. */
  function series({ path, query }: ProxyRequest): ProxyReply {
    const found = askHistory({ path, query }, history, loop.now());
    if (!found) return notFound;
    return { status: found.status, contentType: "application/json", body: JSON.stringify(found.body) };
  }

  /** One request from the control plane through the simulated network; takes its time. */
  async function forward(host: string, port: number, { path, signal }: ProxyRequest): Promise<ProxyReply> {
    const tried = network.httpGet("node", host, port, path, timeoutMs);
    await loop.sleep(Math.ceil(tried.elapsedMs), signal);
    const { status } = tried;
    if (status === undefined && !tried.ok) return { error: dialError(`${host}:${port}`, tried) };
    return { ...text((status ?? 200) < 400 ? `${tried.body ?? "OK"}\n` : ""), status: status ?? 200 };
  }

  return async (request) => {
    const { kind, namespace = "", name, port, path } = request;
    if (kind === "nodes") return kubelet(name, path);
    if (kind === "services" && name === jaegerService && port === jaegerPort) return jaeger(request);
    if (kind === "services" && name === historyService && port === historyPort) return series(request);
    if (kind === "services") return forward(`${name}.${namespace}`, port ?? 80, request);
    const sandbox = machine.byPod(namespace, name);
    if (!sandbox) return { error: "address not allowed" };
    return port === exporterPort ? exporter(sandbox, path) : forward(sandbox.ip, port ?? 80, request);
  };
}

function dialError(address: string, { error }: Attempted): string {
  return /refused/.test(error)
    ? `dial tcp ${address}: connect: connection refused`
    : `dial tcp ${address}: i/o timeout`;
}
