import { type Machine, nodeOwn, type PodSandbox } from "@microremed/sim-machine";
import {
  type MetricsProvider,
  type NodeMetrics,
  type PodMetrics,
  resources,
  type Usage,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { type EventLoop, rfc3339 } from "@microremed/sim-time";

export interface MetricsServerDeps {
  readonly store: Store;
  readonly loop: EventLoop;
  readonly machine: Machine;
}

/** metrics-server's `--metric-resolution`, ms. */
const scrapeMs = 15_000;

interface Point {
  readonly name: string;
  readonly cpuTotal: number;
  readonly memory: number;
}

/** One pass over all kubelets: the containers of each pod, by container id. */
interface Scrape {
  readonly at: number;
  readonly pods: ReadonlyMap<string, ReadonlyMap<string, Point>>;
}

/**
 * A metrics-server: knows what its last two scrapes saw, no more. A container's CPU is its rate between them, so a
 * container that only one of them saw has none yet, and its pod is left out of the list as a whole.
 */
export function startMetricsServer({
  store,
  loop,
  machine,
}: MetricsServerDeps): MetricsProvider & Disposable {
  const scrapes = loop.keep<{ last: Scrape | undefined; previous: Scrape | undefined }>({
    last: undefined,
    previous: undefined,
  });

  const stop = loop.every(scrapeMs, "metrics-server scrape", () => {
    scrapes.previous = scrapes.last;
    scrapes.last = {
      at: loop.now(),
      pods: new Map([...machine.sandboxes].map(([uid, sandbox]) => [uid, pointsOf(sandbox)])),
    };
  });

  const seconds = (): number => ((scrapes.last?.at ?? 0) - (scrapes.previous?.at ?? 0)) / 1000;

  /** Usage by container name; undefined while a container of the pod is not measured. */
  function measured(
    uid: string,
  ): readonly { readonly name: string; readonly cpu: number; readonly memory: number }[] | undefined {
    const points = scrapes.last?.pods.get(uid);
    const before = scrapes.previous?.pods.get(uid);
    if (!points?.size || !before) return undefined;
    const usages = [];
    for (const [id, point] of points) {
      const earlier = before.get(id);
      if (!earlier) return undefined;
      const cpu = Math.max(0, point.cpuTotal - earlier.cpuTotal) / seconds();
      usages.push({ name: point.name, cpu, memory: point.memory });
    }
    return usages;
  }

  const stamp = (): { readonly timestamp: string; readonly window: string } => ({
    timestamp: rfc3339(scrapes.last?.at ?? 0),
    window: `${seconds()}s`,
  });

  function podMetrics(sandbox: PodSandbox): readonly PodMetrics[] {
    const usages = measured(sandbox.uid);
    if (!usages) return [];
    const { namespace, name, labels } = sandbox;
    const containers = usages.map((usage) => ({ name: usage.name, usage: formatted(usage) }));
    return [{ namespace, name, labels, ...stamp(), containers }];
  }

  function nodeMetrics(name: string, labels: Readonly<Record<string, string>>): readonly NodeMetrics[] {
    if (!scrapes.last || !scrapes.previous) return [];
    const total = { ...nodeOwn };
    for (const sandbox of machine.sandboxes.values()) {
      if (sandbox.nodeName !== name) continue;
      for (const usage of measured(sandbox.uid) ?? []) {
        total.cpu += usage.cpu;
        total.memory += usage.memory;
      }
    }
    return [{ name, labels, ...stamp(), usage: formatted(total) }];
  }

  return {
    pods: (namespace) =>
      [...machine.sandboxes.values()]
        .filter((sandbox) => namespace === undefined || sandbox.namespace === namespace)
        .flatMap(podMetrics)
        .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name)),
    nodes: () =>
      store
        .list(resources.nodes)
        .flatMap(({ metadata }) => nodeMetrics(metadata.name, metadata.labels ?? {})),
    [Symbol.dispose]: stop,
  };
}

function pointsOf(sandbox: PodSandbox): ReadonlyMap<string, Point> {
  const containers = [...sandbox.containers.values()].filter((container) => !container.init);
  return new Map(
    containers.map(({ id, name, usage }) => [id, { name, cpuTotal: usage.cpuTotal, memory: usage.memory }]),
  );
}

const formatted = ({ cpu, memory }: { readonly cpu: number; readonly memory: number }): Usage => ({
  cpu: `${Math.round(cpu * 1e9)}n`,
  memory: `${Math.round(memory / 1024)}Ki`,
});

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
