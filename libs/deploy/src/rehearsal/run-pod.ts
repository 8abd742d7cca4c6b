import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { retryable } from "@microremed/core";
import type { Container, PodSpec, Probe } from "../pods/pod.types.ts";
import { type PodPlace, planContainer } from "./container-plan.ts";
import { type ContainerPlace, type RunningContainer, runContainer } from "./run-container.ts";

/** A pod as processes: init containers one after the other, then its one container, started again when it ends. */
export interface RunningPod {
  readonly name: string;
  readonly ip: string;
  readonly restarts: number;
  /** Settles when the startup probe succeeds, for a Job when it has done its work; rejects with the log's end. */
  readonly ready: Promise<void>;
  /** As its readiness probe says now. */
  isReady(): Promise<boolean>;
  stop(): Promise<void>;
  /** As when its node loses power: killed, and not started again. */
  lose(): Promise<void>;
}

export interface PodOptions extends ContainerPlace {
  readonly spec: PodSpec & { readonly terminationGracePeriodSeconds?: number };
  readonly place: PodPlace;
}

/** The kubelet waits from 10 s on, up to five minutes; a rehearsal has no need to. */
const backOffMs = 500;
const probeWithinMs = 3_000;
const logTail = 2_000;
const defaultGraceSeconds = 30;
const mostRestarts = 60;

/** Starts a pod; returns at once. */
export function runPod(options: PodOptions): RunningPod {
  const { spec, place } = options;
  const [container] = spec.containers;
  if (!container || spec.containers.length > 1)
    throw new TypeError(`${place.name}: one container is expected`);
  const stopping = new AbortController();
  let current: RunningContainer | undefined;
  let restarts = 0;
  const start = async (one: Container): Promise<RunningContainer> =>
    runContainer(planContainer(spec, one, place), options);

  const live = async (started: () => void): Promise<void> => {
    for (const init of spec.initContainers ?? []) {
      const ran = await start(init);
      if ((await ran.ended) !== 0) throw await failed(place, init.name, ran);
    }
    for (;;) {
      current = await start(container);
      if (stopping.signal.aborted) return;
      started();
      const code = await current.ended;
      if (stopping.signal.aborted || (code === 0 && spec.restartPolicy === "OnFailure")) return;
      restarts += 1;
      if (restarts > mostRestarts) throw await failed(place, container.name, current);
      await delay(backOffMs);
      if (stopping.signal.aborted) return;
    }
  };
  const begun = Promise.withResolvers<void>();
  const life = live(begun.resolve);
  life.catch(begun.reject);
  const isReady = (): Promise<boolean> => probe(container.readinessProbe, container, place.ip);
  const ready =
    spec.restartPolicy === "OnFailure"
      ? life
      : begun.promise.then(() => untilStarted(container, place, () => current, stopping.signal));
  ready.catch(() => undefined);
  return {
    name: place.name,
    ip: place.ip,
    ready,
    isReady,
    get restarts() {
      return restarts;
    },
    async stop() {
      stopping.abort();
      await current?.stop((spec.terminationGracePeriodSeconds ?? defaultGraceSeconds) * 1000);
      await life.catch(() => undefined);
    },
    async lose() {
      stopping.abort();
      await current?.kill();
      await life.catch(() => undefined);
    },
  };
}

async function untilStarted(
  container: Container,
  place: PodPlace,
  current: () => RunningContainer | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { periodSeconds = 10, failureThreshold = 3 } = (container.startupProbe ?? {}) as {
    periodSeconds?: number;
    failureThreshold?: number;
  };
  const deadline = performance.now() + periodSeconds * failureThreshold * 1000;
  while (!(await probe(container.startupProbe, container, place.ip))) {
    if (signal.aborted) return;
    if (performance.now() > deadline) throw await failed(place, container.name, current());
    await delay(100);
  }
}

async function failed(place: PodPlace, name: string, ran: RunningContainer | undefined): Promise<Error> {
  const log = ran ? await readFile(ran.logFile, "utf8").catch(() => "") : "";
  return retryable(
    "deadline-exceeded",
    `pod ${place.namespace}/${place.name}: ${name} did not start or keeps ending; the end of its log: ${log.slice(-logTail).trim() || "(empty)"}`,
  );
}

function probe(spec: Probe | undefined, container: Container, host: string): Promise<boolean> {
  const { httpGet, tcpSocket } = spec ?? {};
  const port = portOf(container, httpGet?.port ?? tcpSocket?.port);
  if (port === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    if (!httpGet) {
      const socket = connect({ host, port, timeout: probeWithinMs });
      const end = (ok: boolean) => (): void => {
        socket.destroy();
        resolve(ok);
      };
      socket.on("connect", end(true)).on("error", end(false)).on("timeout", end(false));
      return;
    }
    const url = `${httpGet.scheme === "HTTPS" ? "https" : "http"}://${host}:${port}${httpGet.path}`;
    const signal = AbortSignal.timeout(probeWithinMs);
    // As the kubelet, which checks no certificate.
    const ask = url.startsWith("https")
      ? httpsRequest(url, { rejectUnauthorized: false, signal })
      : httpRequest(url, { signal });
    ask.on("response", (response) => {
      response.resume();
      resolve((response.statusCode ?? 500) < 400);
    });
    ask.on("error", () => resolve(false));
    ask.end();
  });
}

function portOf(container: Container, port: string | number | undefined): number | undefined {
  if (typeof port !== "string") return port;
  return container.ports?.find(({ name }) => name === port)?.containerPort;
}
