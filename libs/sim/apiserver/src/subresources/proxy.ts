import { badRequest, StatusError } from "@microremed/sim-objects";
import type { ApiContext, Call } from "../context/context.ts";
import { send } from "../http/respond.ts";
import { requireObject } from "../rest/read.ts";

/** `name`, `name:port` or `scheme:name:port`. */
function splitName(name: string): { readonly name: string; readonly port: string | undefined } {
  const parts = name.split(":");
  const [first = "", second, third] = parts;
  if (parts.length > 3) throw badRequest(`invalid ${JSON.stringify(name)}`);
  if (third !== undefined) return { name: second ?? "", port: third || undefined };
  return { name: first, port: second || undefined };
}

/** A named port of a pod or a service as a number. */
function portNumber(call: Call, object: ReturnType<typeof requireObject>, port: string | undefined) {
  if (port !== undefined && /^\d+$/.test(port)) return Number(port);
  const ports: readonly { name?: string; port?: number; containerPort?: number }[] =
    call.type.resource === "services"
      ? (object.spec?.ports ?? [])
      : (object.spec?.containers ?? []).flatMap((each: { ports?: readonly object[] }) => each.ports ?? []);
  const found = port === undefined ? ports[0] : ports.find((each) => each.name === port);
  return found?.port ?? found?.containerPort;
}

/** Passes a request on to a kubelet, a pod or a service and its answer back. Answers the response itself. */
export async function proxyRequest(context: ApiContext, call: Call): Promise<void> {
  const { target, type } = call;
  const asked = splitName(target.name ?? "");
  const object = requireObject(context, { ...call, target: { ...target, name: asked.name } });
  const port = type.resource === "nodes" ? undefined : portNumber(call, object, asked.port);
  const reply = await context.proxy({
    kind: type.resource as "nodes" | "pods" | "services",
    namespace: target.namespace,
    name: asked.name,
    port,
    path: `/${target.proxyPath ?? ""}`,
    query: call.query,
    signal: call.signal,
  });
  if ("error" in reply)
    throw new StatusError(503, "ServiceUnavailable", `error trying to reach service: ${reply.error}`);
  send(call.response, {
    status: reply.status,
    body: reply.body,
    headers: { "content-type": reply.contentType },
  });
}
