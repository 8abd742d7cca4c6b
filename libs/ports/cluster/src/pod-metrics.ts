import { parseQuantity } from "@microremed/kube-rules";
import type { ContainerSample } from "./cluster.types.ts";
import type { Transport } from "./transport.types.ts";

interface PodMetricsList {
  readonly items?: readonly {
    readonly metadata: { readonly name: string };
    readonly timestamp?: string;
    readonly window?: string;
    readonly containers?: readonly {
      readonly name: string;
      readonly usage?: { readonly cpu?: string; readonly memory?: string };
    }[];
  }[];
}

/** Samples that lack a time or a number are left out: the reader sees them as missing. */
export async function readPodMetrics(
  transport: Transport,
  namespace: string,
  labelSelector: string | undefined,
): Promise<readonly ContainerSample[]> {
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
  const answer = await transport.call<PodMetricsList>("GET", path, { query: { labelSelector } });
  return (answer.items ?? []).flatMap((item) =>
    (item.containers ?? []).flatMap((container): ContainerSample[] => {
      const at = Date.parse(item.timestamp ?? "");
      const cpuCores = parseQuantity(container.usage?.cpu);
      const memoryBytes = parseQuantity(container.usage?.memory);
      if (Number.isNaN(at) || cpuCores === undefined || memoryBytes === undefined) return [];
      const windowMs = parseGoDuration(item.window);
      return [{ pod: item.metadata.name, container: container.name, at, windowMs, cpuCores, memoryBytes }];
    }),
  );
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function parseGoDuration(text = ""): number {
  let total = 0;
  for (const [, digits, unit] of text.matchAll(/([0-9.]+)(ms|h|m|s)/g)) {
    total += Number(digits) * (unitMs[unit ?? ""] ?? 0);
  }
  return total;
}
