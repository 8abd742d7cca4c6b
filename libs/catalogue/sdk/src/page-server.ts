import { z } from "zod";
import type { Draws } from "./drawn/draw.ts";
import { drawnName } from "./drawn/names.ts";

/** Folders that the image of busybox has. */
const folders = ["/etc", "/usr", "/var"] as const;

/** How a small web server is started that runs in a pod beside its program. */
export const sidecarParameters = z.object({
  name: z.string().default("status-page").describe("of the container that is added"),
  folder: z.enum(folders).default("/var").describe("what it serves"),
  version: z.enum(["1.35", "1.36", "1.37"]).default("1.35").describe("of its image, busybox"),
  order: z.enum(["port-first", "folder-first"]).default("port-first").describe("of its options"),
});

/** How they are drawn, by name. */
export const sidecarDraws: Draws<typeof sidecarParameters> = {
  name: drawnName("page", "proxy", "exporter", "agent", "status", "sidecar"),
  folder: (rng) => rng.pick(folders),
  version: (rng) => rng.pick(["1.35", "1.36", "1.37"]),
  order: (rng) => rng.pick(["port-first", "folder-first"]),
};

/** A container that serves a folder with busybox' HTTP server, with all that the API server adds. */
export function pageServer(
  { name, folder, version, order }: z.output<typeof sidecarParameters>,
  port: number,
) {
  const options = [
    ["-p", String(port)],
    ["-h", folder],
  ];
  return {
    name,
    image: `busybox:${version}`,
    imagePullPolicy: "IfNotPresent",
    command: ["httpd", "-f", ...(order === "port-first" ? options : options.toReversed()).flat()],
    resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { cpu: "50m", memory: "64Mi" } },
  };
}
