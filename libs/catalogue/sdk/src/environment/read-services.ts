import { isJsonObject } from "@microremed/core";
import { z } from "zod";
import type { ServiceSpec } from "./environment.types.ts";
import type { Manifest } from "./manifest.ts";
import { ofManifest } from "./places.ts";
import { portNumber } from "./read-container.ts";
import { placeIn, shapeProblems } from "./shape-problems.ts";

const Spec = z.object({
  type: z.string().default("ClusterIP"),
  clusterIP: z.string().optional(),
  publishNotReadyAddresses: z.boolean().default(false),
  selector: z.record(z.string(), z.string()).default({}),
  ports: z
    .array(
      z.object({
        name: z.string().optional(),
        port: portNumber,
        protocol: z.string().optional(),
        targetPort: z.union([portNumber, z.string()]).optional(),
      }),
    )
    .default([]),
});

/** A Service's manifest, or what is wrong with it, a line each. */
export function readService(manifest: Manifest): ServiceSpec | string[] {
  const value = manifest["spec"] ?? {};
  const parsed = Spec.safeParse(value, { jitless: true });
  if (!parsed.success) {
    const { error } = parsed;
    const at = (field: string): string => `${ofManifest(manifest)}: ${placeIn("spec", field)}`;
    return shapeProblems({ error, value, schema: Spec, at });
  }
  const { clusterIP, ports, ...rest } = parsed.data;
  return {
    ...rest,
    headless: clusterIP === "None",
    ports: ports.map(({ targetPort, ...port }) => ({ ...port, targetPort: targetPort ?? port.port })),
  };
}

/** The keys of a ConfigMap or a Secret as text. What is no text in a Secret is read as if it were UTF-8. */
export function dataOf({ kind, ...manifest }: Manifest): Record<string, string> {
  const { data, stringData } = manifest as { data?: unknown; stringData?: unknown };
  const decode = (value: string): string =>
    kind === "Secret" ? Buffer.from(value, "base64").toString("utf8") : value;
  const entries = Object.entries(isJsonObject(data) ? data : {}).map(
    ([key, value]) => [key, decode(String(value))] as const,
  );
  const plain = Object.entries(kind === "Secret" && isJsonObject(stringData) ? stringData : {}).map(
    ([key, value]) => [key, String(value)] as const,
  );
  return Object.fromEntries([...entries, ...plain]);
}
