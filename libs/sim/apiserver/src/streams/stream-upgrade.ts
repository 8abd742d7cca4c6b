import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { badRequest, type KubeObject, notFound, StatusError } from "@microremed/sim-objects";
import type { Authenticator } from "../auth/authenticate.ts";
import type { ApiContext } from "../context/context.ts";
import { parseRequest, requireType, requireUser } from "../handle/parse-request.ts";
import type { ApiRequest } from "../http/exchange.types.ts";
import type { LocalExec } from "../http/local-api.types.ts";
import { boolParam } from "../http/query.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { failure } from "../http/respond.ts";
import { chooseContainer, containerStatus } from "../subresources/pod-container.ts";
import type { ExecStreams } from "./exec-channels.ts";
import { runForward, type Tunnel } from "./run-forward.ts";
import { runAttach, runExec, type StreamTarget } from "./run-streams.ts";
import { openSpdyChannels } from "./spdy-channels.ts";
import { openSpdyTunnels } from "./spdy-forward.ts";
import { offersChannels, openWebSocketChannels } from "./websocket-channels.ts";
import { openSpdyInWebSocket, openWebSocketTunnels, spdyInWebSocket } from "./websocket-forward.ts";

export interface UpgradeOptions {
  readonly authenticator: Authenticator;
  /** Aborted when the server closes: upgraded sockets are no longer the HTTP server's to close. */
  readonly closing: AbortSignal;
}

type Carrier = "websocket" | "spdy" | "spdy in websocket";

interface ExecStreamRequest {
  readonly kind: "exec";
  readonly target: StreamTarget;
  readonly streams: ExecStreams;
  /** Undefined: attach. */
  readonly command: readonly string[] | undefined;
  readonly carrier: Carrier;
}

interface ForwardStreamRequest {
  readonly kind: "forward";
  readonly target: { readonly namespace: string; readonly pod: string };
  /** Only a WebSocket of the channel protocol names them beforehand. */
  readonly ports: readonly number[];
  readonly carrier: Carrier;
}

type StreamRequest = ExecStreamRequest | ForwardStreamRequest;

const maxForwardedPorts = 64;

function carrierOf(request: ApiRequest): Carrier {
  const upgrade = (request.headers.upgrade ?? "").toLowerCase();
  if (upgrade === "spdy/3.1") return "spdy";
  if (upgrade === "websocket" && request.headers["sec-websocket-protocol"]?.includes(spdyInWebSocket)) {
    return "spdy in websocket";
  }
  if (upgrade !== "websocket")
    throw badRequest(`unable to upgrade: unknown protocol ${JSON.stringify(upgrade)}`);
  if (!offersChannels(request)) {
    throw badRequest(
      "unable to upgrade: none of the offered subprotocols is v4.channel.k8s.io or v5.channel.k8s.io",
    );
  }
  return "websocket";
}

function requireRunning(pod: KubeObject, container: string): void {
  const phase = pod.status?.phase;
  if (!pod.spec?.nodeName) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  if (phase === "Succeeded" || phase === "Failed") {
    throw new StatusError(
      500,
      "InternalError",
      `cannot exec into a container in a completed pod; current phase is ${phase}`,
    );
  }
  if (!containerStatus(pod, container)?.state?.running) {
    throw new StatusError(
      500,
      "InternalError",
      `unable to upgrade connection: container not found (${JSON.stringify(container)})`,
    );
  }
}

/** The pod that a stream is wanted of, by who may. */
function requirePod(
  context: ApiContext,
  authenticator: Authenticator,
  request: Pick<ApiRequest, "headers" | "socket">,
  info: RequestInfo,
): KubeObject {
  requireUser(context, authenticator, request, info);
  const wanted = info.resource;
  const isStream = wanted?.resource === "pods" && wanted.name !== undefined && wanted.namespace !== undefined;
  if (!isStream) throw badRequest("only pods/exec, pods/attach and pods/portforward can be upgraded");
  const type = requireType(context.catalog, wanted);
  const { namespace = "", name = "" } = wanted;
  const pod = context.store.get(type, namespace, name);
  if (!pod) throw notFound(type, name);
  const cut = context.unreachable?.(pod.spec?.nodeName);
  if (cut) throw new StatusError(500, "InternalError", `error dialing backend: ${cut}`);
  return pod;
}

/** The container of a command without stdin. Throws a StatusError for whatever is wrong with it. */
export function requireExec(
  context: ApiContext,
  authenticator: Authenticator,
  { namespace, pod: name, container: given, command, headers }: LocalExec,
): StreamTarget {
  const resource = { group: "", version: "v1", namespace, resource: "pods", name, subresource: "exec" };
  const pod = requirePod(context, authenticator, { headers }, { verb: "get", path: "", resource });
  const container = chooseContainer(pod, given);
  requireRunning(pod, container);
  if (command.length === 0) throw badRequest("you must specify at least 1 command for the container");
  return { namespace, pod: name, container };
}

function readForwardRequest(request: ApiRequest, query: URLSearchParams, pod: KubeObject): StreamRequest {
  const { name, namespace = "" } = pod.metadata;
  if (!pod.spec?.nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
  if (pod.status?.phase !== "Running") {
    throw new StatusError(
      500,
      "InternalError",
      `unable to forward port because pod is not running. Current status=${pod.status?.phase}`,
    );
  }
  const carrier = carrierOf(request);
  const ports = query.getAll("ports").flatMap((text) => text.split(",").map(Number));
  const bad = ports.find((port) => !(Number.isInteger(port) && port >= 1 && port <= 65_535));
  if (bad !== undefined) throw badRequest(`port ${bad} must be > 0 and < 65536`);
  if (carrier === "websocket" && (ports.length === 0 || ports.length > maxForwardedPorts)) {
    throw badRequest(`query parameter "ports" must name 1 to ${maxForwardedPorts} ports`);
  }
  return { kind: "forward", target: { namespace, pod: name }, ports, carrier };
}

/** What a client wants to stream. Throws a StatusError for whatever is wrong with it. */
function readStreamRequest(
  context: ApiContext,
  authenticator: Authenticator,
  request: ApiRequest,
): StreamRequest {
  const { info, query } = parseRequest(request);
  const pod = requirePod(context, authenticator, request, info);
  const { namespace = "", name = "", subresource } = info.resource ?? {};
  if (subresource === "portforward") return readForwardRequest(request, query, pod);
  if (subresource !== "exec" && subresource !== "attach") {
    throw new StatusError(404, "NotFound", "the server could not find the requested resource");
  }
  const carrier = carrierOf(request);
  if (carrier === "spdy in websocket")
    throw badRequest("unable to upgrade: SPDY in WebSocket carries port-forwards only");
  const container = chooseContainer(pod, query.get("container"));
  requireRunning(pod, container);
  const command = subresource === "exec" ? query.getAll("command") : undefined;
  if (command?.length === 0) throw badRequest("you must specify at least 1 command for the container");
  const streams: ExecStreams = {
    stdin: boolParam(query, "stdin"),
    stdout: boolParam(query, "stdout", subresource === "attach"),
    stderr: boolParam(query, "stderr", subresource === "attach"),
    tty: boolParam(query, "tty"),
  };
  if (!streams.stdin && !streams.stdout && !streams.stderr) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  const target = { namespace, pod: name, container };
  return { kind: "exec", target, streams, command, carrier };
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, body } = failure(error);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Handles exec, attach and port-forward: checks first, answering with a Status as for any request, then upgrades. */
export function createStreamUpgrade(
  context: ApiContext,
  { authenticator, closing }: UpgradeOptions,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void> {
  const sockets = new Set<Duplex>();
  closing.addEventListener("abort", () => {
    for (const socket of sockets) socket.destroy();
  });
  return async (request, socket, head) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    let wanted: StreamRequest;
    try {
      wanted = readStreamRequest(context, authenticator, request);
    } catch (error) {
      refuse(socket, error);
      return;
    }
    if (wanted.kind === "exec") await serveExec(context, wanted, request, socket, head);
    else serveForward(context, wanted, request, socket, head);
  };
}

async function serveExec(
  context: ApiContext,
  { target, streams, command, carrier }: ExecStreamRequest,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const channels =
    carrier === "websocket"
      ? await openWebSocketChannels(request, socket, head, streams)
      : await openSpdyChannels(socket, head, streams);
  if (command) await runExec(context, target, command, streams.tty, channels);
  else await runAttach(context, target, channels);
}

function serveForward(
  context: ApiContext,
  { target, ports, carrier }: ForwardStreamRequest,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const accept = (tunnel: Tunnel): void => void runForward(context, target, tunnel);
  if (carrier === "spdy") openSpdyTunnels(socket, head, accept);
  else if (carrier === "websocket") openWebSocketTunnels(request, socket, head, ports, accept);
  else openSpdyInWebSocket(request, socket, head, accept);
}
