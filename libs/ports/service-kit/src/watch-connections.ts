import type { Metrics } from "./metrics.ts";

const connected = {
  name: "microremed_backbone_connected",
  help: "1 while the connection to the server stands",
  labels: ["server"],
} as const;

/** Tells whether the connections to NATS and Redis stand. */
export function watchConnections(
  metrics: Metrics,
  connections: () => Readonly<Record<"nats" | "redis", boolean | undefined>>,
): void {
  metrics.gauges([connected], async () =>
    Object.entries(connections()).map(([server, stands]) => ({
      name: connected.name,
      labels: { server },
      value: stands ? 1 : 0,
    })),
  );
}
