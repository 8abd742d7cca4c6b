import type { Metrics } from "./metrics.ts";

const connected = {
  name: "microremed_backbone_connected",
  help: "1 while connected to the server",
  labels: ["server"],
} as const;

/** Reports whether NATS and Redis are connected. */
export function watchConnections(
  metrics: Metrics,
  connections: () => Readonly<Record<"nats" | "redis", boolean | undefined>>,
): void {
  metrics.gauges([connected], async () =>
    Object.entries(connections()).map(([server, isConnected]) => ({
      name: connected.name,
      labels: { server },
      value: isConnected ? 1 : 0,
    })),
  );
}
