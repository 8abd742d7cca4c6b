import { isJsonObject } from "@microremed/core";
import type { TemplateChange } from "./template-evidence.ts";

const probes = ["livenessProbe", "readinessProbe", "startupProbe"] as const;
type ProbeName = (typeof probes)[number];

/** The port that a probe asks; undefined: none. */
function portAsked(probe: unknown): unknown {
  if (!isJsonObject(probe)) return undefined;
  const handlers = [probe["httpGet"], probe["tcpSocket"], probe["grpc"]];
  return handlers.flatMap((one) => (isJsonObject(one) ? [one["port"]] : []))[0];
}

/** The ports on which a container is known to listen: those that it declares, and those that its probes ask. */
export function knownPorts(container: Readonly<Record<string, unknown>>, leaveOut?: ProbeName): unknown[] {
  const declared = Array.isArray(container["ports"]) ? container["ports"].filter(isJsonObject) : [];
  const asked = probes.filter((name) => name !== leaveOut).map((name) => portAsked(container[name]));
  const all = [...declared.flatMap(({ containerPort, name }) => [containerPort, name]), ...asked];
  return all.filter((port) => port !== undefined);
}

/** Whether a probe that was changed asks on a port of which nothing says that the program listens there. */
export function asksElsewhere({ was, is, container }: TemplateChange, probe: ProbeName): boolean {
  const port = portAsked(is);
  return port !== undefined && ![...knownPorts(container, probe), portAsked(was)].includes(port);
}
