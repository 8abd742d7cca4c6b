import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Authenticator } from "../api/auth/authenticate.ts";
import type { ApiContext } from "../api/context.ts";
import { parseRequest, requireType, requireUser } from "../api/handle-request.ts";
import { boolParam } from "../api/http/query.ts";
import { failure } from "../api/http/respond.ts";
import { chooseContainer, containerStatus } from "../api/subresources/pod-container.ts";
import type { KubeObject } from "../objects.ts";
import { badRequest, notFound, StatusError } from "../store/status-error.ts";
import type { ExecStreams } from "./exec-channels.ts";
import { runAttach, runExec, type StreamTarget } from "./run-streams.ts";
import { openSpdyChannels } from "./spdy-channels.ts";
import { offersChannels, openWebSocketChannels } from "./websocket-channels.ts";

export interface UpgradeOptions {
  readonly authenticator: Authenticator;
  /** Aborted when the server closes: upgraded sockets are no longer the HTTP server's to close. */
  readonly closing: AbortSignal;
}

interface StreamRequest {
  readonly target: StreamTarget;
  readonly streams: ExecStreams;
  /** Undefined: attach. */
  readonly command: readonly string[] | undefined;
  readonly carrier: "websocket" | "spdy";
}

function carrierOf(request: IncomingMessage): "websocket" | "spdy" {
  const upgrade = (request.headers.upgrade ?? "").toLowerCase();
  if (upgrade === "spdy/3.1") return "spdy";
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

function readStreamRequest(
  context: ApiContext,
  authenticator: Authenticator,
  request: IncomingMessage,
): StreamRequest {
  const { info, query } = parseRequest(request);
  requireUser(context, authenticator, request, info);
  const wanted = info.resource;
  const isStream = wanted?.resource === "pods" && wanted.name !== undefined && wanted.namespace !== undefined;
  if (!isStream) throw badRequest("only pods/exec, pods/attach and pods/portforward can be upgraded");
  const type = requireType(wanted);
  const { namespace = "", name = "", subresource } = wanted;
  const pod = context.store.get(type, namespace, name);
  if (!pod) throw notFound(type, name);
  if (subresource === "portforward") {
    throw new StatusError(
      501,
      "NotImplemented",
      "port-forward is not supported by the embedded cluster: use exec with curl or wget in a pod instead",
    );
  }
  if (subresource !== "exec" && subresource !== "attach") {
    throw new StatusError(404, "NotFound", "the server could not find the requested resource");
  }
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
  return { target: { namespace, pod: name, container }, streams, command, carrier: carrierOf(request) };
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, body } = failure(error);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Handles exec and attach: checks first, answering with a Status as for any request, then upgrades. */
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
    const { target, streams, command, carrier } = wanted;
    const channels =
      carrier === "spdy"
        ? await openSpdyChannels(socket, head, streams)
        : await openWebSocketChannels(request, socket, head, streams);
    if (command) await runExec(context, target, command, streams.tty, channels);
    else await runAttach(context, target, channels);
  };
}
