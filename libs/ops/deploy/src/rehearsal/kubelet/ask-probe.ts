import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { terminal } from "@microremed/core";
import type { Action, Container } from "../../pods/pod.types.ts";

/** What a probe or a hook is carried out with. */
export interface Reach {
  readonly container: Container;
  /** Of the pod. */
  readonly ip: string;
  /** Runs a command in the container; its exit code. */
  readonly exec: (argv: readonly string[], withinMs: number) => Promise<number>;
}

/** Does once what a probe or a hook says, as the kubelet does; whether it succeeded. */
export async function askProbe(action: Action, reach: Reach, withinMs: number): Promise<boolean> {
  const { httpGet, tcpSocket, exec } = action;
  if (exec) return (await reach.exec(exec.command, withinMs)) === 0;
  const port = portOf(reach.container, httpGet?.port ?? tcpSocket?.port);
  if (httpGet) return answersHttp(httpGet, `${reach.ip}:${port}`, withinMs);
  if (tcpSocket) return accepts(reach.ip, port, withinMs);
  throw terminal(
    "invalid-config",
    `container ${reach.container.name}: a probe or hook of a kind that is not rehearsed: ${Object.keys(action).join(", ")}`,
  );
}

function answersHttp(
  { scheme, path, httpHeaders = [] }: NonNullable<Action["httpGet"]>,
  authority: string,
  withinMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(withinMs);
    const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]));
    // As the kubelet: a new connection for each, and no check of certificates.
    const options = { signal, headers, agent: false } as const;
    const ask =
      scheme === "HTTPS"
        ? httpsRequest(`https://${authority}${path}`, { ...options, rejectUnauthorized: false })
        : httpRequest(`http://${authority}${path}`, options);
    ask.on("response", (response) => {
      response.resume();
      resolve((response.statusCode ?? 500) < 400);
    });
    ask.on("error", () => resolve(false));
    ask.end();
  });
}

function accepts(host: string, port: number, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: withinMs });
    const end = (ok: boolean) => (): void => {
      socket.destroy();
      resolve(ok);
    };
    socket.on("connect", end(true)).on("error", end(false)).on("timeout", end(false));
  });
}

function portOf(container: Container, port: string | number | undefined): number {
  if (typeof port !== "string") return port ?? 0;
  const named = container.ports?.find(({ name }) => name === port)?.containerPort;
  if (named !== undefined) return named;
  throw terminal("invalid-config", `container ${container.name} has no port ${port}, which a probe asks`);
}
