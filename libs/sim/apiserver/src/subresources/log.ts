import type { LogOptions } from "@microremed/sim-machine";
import { badRequest, StatusError } from "@microremed/sim-objects";
import type { ApiContext, Call } from "../context/context.ts";
import { boolParam, intParam } from "../http/query.ts";
import { requireObject } from "../rest/read.ts";
import { chooseContainer, containerStatus } from "./pod-container.ts";

function readOptions(query: URLSearchParams): LogOptions {
  const numbers = ["tailLines", "sinceSeconds", "limitBytes"] as const;
  const read = Object.fromEntries(
    numbers.map((name) => [name, intParam(query, name)]).filter(([, value]) => value !== undefined),
  ) as Partial<Record<(typeof numbers)[number], number>>;
  const sinceTime = query.get("sinceTime");
  if (sinceTime && Number.isNaN(Date.parse(sinceTime))) {
    throw badRequest(`invalid value for query parameter "sinceTime": ${JSON.stringify(sinceTime)}`);
  }
  if ((read.tailLines ?? 0) < 0) throw badRequest("tailLines: must be greater than or equal to 0");
  if (read.sinceSeconds !== undefined && read.sinceSeconds < 1) {
    throw badRequest("sinceSeconds: must be greater than 0");
  }
  if (read.limitBytes !== undefined && read.limitBytes < 1) {
    throw badRequest("limitBytes: must be greater than 0");
  }
  return {
    follow: boolParam(query, "follow"),
    previous: boolParam(query, "previous"),
    timestamps: boolParam(query, "timestamps"),
    ...read,
    ...(sinceTime && { sinceTime }),
  };
}

/** The kubelet's words for containers that wait for their image; other reasons are named as they are. */
const pullTroubles: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: "trying and failing to pull image",
};

/** Streams a container's log as text. Answers the response itself. */
export async function streamLog(context: ApiContext, call: Call): Promise<void> {
  const { response, query, signal } = call;
  const pod = requireObject(context, call);
  const container = chooseContainer(pod, query.get("container"));
  const options = readOptions(query);
  const status = containerStatus(pod, container);
  const { name, namespace = "" } = pod.metadata;
  if (options.previous && !status?.lastState?.terminated) {
    throw badRequest(
      `previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} not found`,
    );
  }
  const waiting: string | undefined = status?.state?.waiting?.reason;
  if (waiting && !options.previous && !status.lastState?.terminated) {
    throw badRequest(
      `container ${JSON.stringify(container)} in pod ${JSON.stringify(name)} is waiting to start: ${pullTroubles[waiting] ?? waiting}`,
    );
  }
  const cut = context.unreachable?.(pod.spec.nodeName);
  if (cut) {
    const [, address] = /dial tcp ([^ ]+):10250/.exec(cut) ?? [];
    const url = `https://${address}:10250/containerLogs/${namespace}/${name}/${container}`;
    throw new StatusError(500, "InternalError", `Get ${JSON.stringify(url)}: ${cut}`);
  }
  const text = context.logs({ namespace, pod: name, container }, options, signal);
  response.writeHead(200, { "content-type": "text/plain" });
  response.flushHeaders();
  if (typeof text === "string") {
    response.end(text);
    return;
  }
  for await (const chunk of text) {
    if (signal.aborted || response.destroyed) break;
    if (!response.write(chunk)) await drained(response, signal);
  }
  response.end();
}

function drained(response: Call["response"], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    response.once("drain", done).once("close", done);
    signal.addEventListener("abort", done, { once: true });
  });
}
