import type { Route, RouteResponse } from "@microremed/sim-apiserver";
import { type NodeState, nodeStates } from "@microremed/sim-kubelet";
import { nodeSpecs } from "@microremed/sim-machine";
import type { World } from "./world.ts";

const nodesPath = "/microremed/nodes";

const json = (status: number, body: object): RouteResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: `${JSON.stringify(body)}\n`,
});

interface Wanted {
  readonly name: string;
  readonly state?: NodeState;
  readonly chaosDaemon?: "restart";
}

function wantedIn(body: Uint8Array): Wanted | string {
  let sent: { name?: unknown; state?: unknown; chaosDaemon?: unknown } | null;
  try {
    sent = JSON.parse(Buffer.from(body).toString("utf8")) as typeof sent;
  } catch {
    sent = null;
  }
  const { name, state, chaosDaemon } = sent ?? {};
  if (!nodeSpecs.some((spec) => spec.name === name))
    return `name must be one of ${nodeSpecs.map((spec) => spec.name).join(", ")}`;
  if (chaosDaemon === "restart" && state === undefined) return { name: String(name), chaosDaemon };
  const known = nodeStates.find((each) => each === state);
  if (!known) return `state must be one of ${nodeStates.join(", ")}, or else chaosDaemon must be "restart"`;
  return { name: String(name), state: known };
}

/** The cluster's machines over HTTP: stop a kubelet, switch a node off and on, restart its chaos-daemon. */
export function nodesRoutes({ kubelet, chaos }: Pick<World, "kubelet" | "chaos">): readonly Route[] {
  const list = (): RouteResponse =>
    json(200, { nodes: nodeSpecs.map(({ name }) => ({ name, state: kubelet.nodes.of(name) })) });

  function change(wanted: Wanted | string): RouteResponse {
    if (typeof wanted === "string") return json(400, { error: wanted });
    if (wanted.chaosDaemon) chaos.restartDaemon(wanted.name);
    if (wanted.state) kubelet.nodes.set(wanted.name, wanted.state);
    return list();
  }

  return [
    { method: "GET", path: nodesPath, handle: async () => list() },
    { method: "POST", path: nodesPath, handle: async ({ body }) => change(wantedIn(body)) },
  ];
}
