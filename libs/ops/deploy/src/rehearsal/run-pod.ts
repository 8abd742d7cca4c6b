import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { retryable } from "@microremed/core";
import type { Container, PodSpec } from "../pods/pod.types.ts";
import { type PodPlace, planContainer } from "./container-plan.ts";
import { askProbe } from "./kubelet/ask-probe.ts";
import { type ContainerPlace, type RunningContainer, runContainer } from "./run-container.ts";
import { watchProbes } from "./watch-probes.ts";

/** A pod as processes: init containers one after the other, then its one container, started again when it ends. */
export interface RunningPod {
  readonly name: string;
  readonly ip: string;
  readonly restarts: number;
  /** As its readiness probe has decided. */
  readonly isReady: boolean;
  /** Settles when it is ready for the first time, for a Job when it has done its work; rejects with the log's end. */
  readonly ready: Promise<void>;
  /** As the kubelet: the hook before the stop, SIGTERM, and SIGKILL when the grace period is over. */
  stop(): Promise<void>;
  /** As when its node loses power: killed, and not started again. */
  lose(): Promise<void>;
}

export interface PodOptions extends ContainerPlace {
  readonly spec: PodSpec;
  readonly place: PodPlace;
  /** The words before the program's own that start one of its containers in its network and bounds. */
  readonly enter: (container: Container) => Promise<readonly string[]>;
  /** Called with what a healthy pod does not do: a probe that fails for good, a stop that takes force. */
  readonly complain: (sentence: string) => void;
  /** Called whenever it becomes ready, or is no longer. */
  readonly changed: () => void;
}

/** The kubelet waits from 10 s on, up to five minutes; a rehearsal has no need to. */
const backOffMs = 500;
const logTail = 2_000;
const mostRestarts = 60;

/** Starts a pod; returns at once. */
export function runPod(options: PodOptions): RunningPod {
  const { spec, place, complain } = options;
  const [container] = spec.containers;
  if (!container || spec.containers.length > 1)
    throw new TypeError(`${place.name}: one container is expected`);
  const graceMs = (spec.terminationGracePeriodSeconds ?? 30) * 1000;
  const stopping = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  let current: RunningContainer | undefined;
  let restarts = 0;
  let isReady = false;
  const setReady = (now: boolean): void => {
    if (now) firstReady.resolve();
    if (now === isReady) return;
    isReady = now;
    options.changed();
  };
  const start = async (one: Container): Promise<RunningContainer> =>
    runContainer(planContainer(spec, one, place), options, await options.enter(one));
  const unhealthy = (which: "startup" | "liveness", running: RunningContainer): void => {
    if (which === "startup") void failed(place, container.name, running).then(firstReady.reject);
    complain(`${place.name}: the ${which} probe failed for good, the container is started again`);
    void running.stop(graceMs);
  };
  const live = async (): Promise<void> => {
    for (const init of spec.initContainers ?? []) {
      const ran = await start(init);
      if ((await ran.ended) !== 0) throw await failed(place, init.name, ran);
    }
    for (;;) {
      current = await start(container);
      if (stopping.signal.aborted) return current.kill();
      const probing = new AbortController();
      const watched = watchProbes(
        { container, ip: place.ip, setReady, unhealthy },
        current,
        AbortSignal.any([probing.signal, stopping.signal]),
      );
      watched.catch(firstReady.reject);
      const code = await current.ended;
      probing.abort();
      setReady(false);
      if (stopping.signal.aborted || (code === 0 && spec.restartPolicy === "OnFailure")) return;
      restarts += 1;
      if (restarts > mostRestarts) throw await failed(place, container.name, current);
      await delay(backOffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  };
  const life = live();
  life.catch(firstReady.reject);
  const ready = spec.restartPolicy === "OnFailure" ? life : firstReady.promise;
  ready.catch(() => undefined);
  const stop = async (): Promise<void> => {
    const since = performance.now();
    const { preStop } = container.lifecycle ?? {};
    const running = current;
    if (preStop && running?.running) {
      const succeeded = await askProbe(preStop, { container, ip: place.ip, exec: running.exec }, graceMs);
      if (!succeeded) complain(`${place.name}: the hook before the stop failed`);
    }
    // What the hook took is taken from the grace period; two seconds are left in any case.
    const outcome = await running?.stop(Math.max(2_000, graceMs - (performance.now() - since)));
    if (outcome === "killed")
      complain(`${place.name}: did not end within its grace period of ${graceMs / 1000} s and was killed`);
  };
  return {
    name: place.name,
    ip: place.ip,
    ready,
    get isReady() {
      return isReady;
    },
    get restarts() {
      return restarts;
    },
    async stop() {
      stopping.abort();
      setReady(false);
      await stop();
      await life.catch(() => undefined);
    },
    async lose() {
      stopping.abort();
      setReady(false);
      await current?.kill();
      await life.catch(() => undefined);
    },
  };
}

async function failed(place: PodPlace, name: string, ran: RunningContainer): Promise<Error> {
  const log = await readFile(ran.logFile, "utf8").catch(() => "");
  return retryable(
    "deadline-exceeded",
    `pod ${place.namespace}/${place.name}: ${name} did not start or keeps ending; the end of its log: ${log.slice(-logTail).trim() || "(empty)"}`,
  );
}
