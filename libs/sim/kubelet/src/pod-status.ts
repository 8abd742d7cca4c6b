import { qosClass } from "@microremed/sim-kinds";
import type { KubeObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { ContainerSlot, ContainerState, Terminated } from "./container-slot.ts";
import {
  type ContainerSpec,
  containersOf,
  ephemeralContainersOf,
  initContainersOf,
} from "./container-spec.ts";
import type { ImageCatalog } from "./image-catalog.ts";
import { fullImageName } from "./image-name.ts";
import type { ResizeState } from "./resize-checks.ts";

export interface StatusFacts {
  readonly pod: KubeObject;
  readonly slots: ReadonlyMap<string, ContainerSlot>;
  readonly images: ImageCatalog;
  readonly hostIp: string;
  readonly podIp: string | undefined;
  readonly startTime: number;
  readonly now: number;
  readonly resize: ResizeState | undefined;
  /** Its containers are stopped for good, because it was deleted. */
  readonly terminating: boolean;
}

function terminatedJson(ended: Terminated) {
  return {
    exitCode: ended.exitCode,
    reason: ended.reason,
    ...(ended.message && { message: ended.message }),
    startedAt: ended.startedAt === 0 ? "1970-01-01T00:00:00Z" : rfc3339(ended.startedAt),
    finishedAt: rfc3339(ended.finishedAt),
    ...(ended.containerId && { containerID: `containerd://${ended.containerId}` }),
  };
}

function stateJson(state: ContainerState) {
  if (state.type === "running") return { running: { startedAt: rfc3339(state.startedAt) } };
  if (state.type === "terminated") return { terminated: terminatedJson(state) };
  return { waiting: { reason: state.reason, ...(state.message && { message: state.message }) } };
}

function containerStatus(slot: ContainerSlot, images: ImageCatalog) {
  const image = slot.image || slot.spec.image;
  return {
    name: slot.name,
    state: stateJson(slot.state),
    lastState: slot.last ? { terminated: terminatedJson(slot.last) } : {},
    ready: slot.ready,
    restartCount: slot.restartCount,
    image: slot.containerId ? fullImageName(image) : image,
    imageID: slot.containerId ? images.idOf(image) : "",
    ...(slot.containerId && { containerID: `containerd://${slot.containerId}` }),
    started: slot.started,
    ...(slot.resized && {
      resources: slot.spec.resources ?? {},
      allocatedResources: slot.spec.resources?.requests ?? {},
    }),
  };
}

/** Whether an init container is through (or, as a sidecar, up). */
export function isInitDone(slot: ContainerSlot): boolean {
  if (slot.spec.restartPolicy === "Always") return slot.started;
  return slot.state.type === "terminated" && slot.state.exitCode === 0;
}

/** Whether a container of the pod has been started: its init containers are behind it then. */
export function hasBegun(slots: readonly ContainerSlot[]): boolean {
  return slots.some(
    ({ init, ephemeral, state, last }) =>
      !init && !ephemeral && (state.type !== "waiting" || last !== undefined),
  );
}

/** The pod's phase by the kubelet's rules. */
export function phaseOf({
  pod,
  slots,
  terminating,
}: Pick<StatusFacts, "pod" | "slots" | "terminating">): string {
  const all = [...slots.values()].filter((slot) => !slot.ephemeral);
  const policy = pod.spec.restartPolicy ?? "Always";
  const failedInit = all.some(
    (slot) =>
      slot.init && policy === "Never" && slot.state.type === "terminated" && slot.state.exitCode !== 0,
  );
  if (failedInit) return "Failed";
  const main = all.filter((slot) => !slot.init);
  const begun = hasBegun(main);
  if (!begun && all.some((slot) => slot.init && !isInitDone(slot))) return "Pending";
  if (main.some((slot) => slot.state.type === "waiting" && !slot.last)) return "Pending";
  if (main.some((slot) => slot.state.type === "running")) return "Running";
  const ends = main.map((slot) => (slot.state.type === "terminated" ? slot.state : slot.last));
  const succeeded = ends.every((end) => end?.exitCode === 0);
  if (policy === "Always" && !terminating) return "Running";
  if (succeeded) return "Succeeded";
  return terminating || policy === "Never" ? "Failed" : "Running";
}

interface Verdict {
  readonly ok: boolean;
  readonly reason?: string;
  readonly message?: string;
}

function verdicts(facts: StatusFacts, phase: string): readonly (readonly [string, Verdict])[] {
  const all = [...facts.slots.values()].filter((slot) => !slot.ephemeral);
  const main = all.filter((slot) => !slot.init);
  const begun = hasBegun(main);
  const incomplete = begun ? [] : all.filter((slot) => slot.init && !isInitDone(slot));
  const unready = main.filter((slot) => !slot.ready);
  const names = (slots: readonly ContainerSlot[]): string => `[${slots.map((slot) => slot.name).join(" ")}]`;
  const notReady: Verdict = {
    ok: false,
    reason: "ContainersNotReady",
    message: `containers with unready status: ${names(unready)}`,
  };
  const over = phase === "Succeeded" || phase === "Failed";
  const completed: Verdict = { ok: false, reason: phase === "Succeeded" ? "PodCompleted" : "PodFailed" };
  const ready = over ? completed : unready.length === 0 ? { ok: true } : notReady;
  const initialized: Verdict =
    incomplete.length === 0
      ? { ok: true, ...(phase === "Succeeded" && { reason: "PodCompleted" }) }
      : {
          ok: false,
          reason: "ContainersNotInitialized",
          message: `containers with incomplete status: ${names(incomplete)}`,
        };
  return [
    ["PodReadyToStartContainers", { ok: facts.podIp !== undefined && !over }],
    ["Initialized", initialized],
    ["Ready", ready],
    ["ContainersReady", ready],
    ["PodScheduled", { ok: true }],
  ];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

const resizeTypes = ["PodResizePending", "PodResizeInProgress"];

function resizeCondition({ resize, now }: StatusFacts, before: readonly Condition[]) {
  if (!resize) return [];
  const old = before.find(({ type }) => type === resize.type);
  const lastTransitionTime = old?.lastTransitionTime ?? rfc3339(now);
  return [{ status: "True", lastProbeTime: null, lastTransitionTime, ...resize }];
}

function conditionsOf(facts: StatusFacts, phase: string) {
  const before: readonly Condition[] = facts.pod.status?.conditions ?? [];
  const computed = verdicts(facts, phase).map(([type, { ok, reason, message }]) => {
    const status = ok ? "True" : "False";
    const old = before.find((condition) => condition.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : rfc3339(facts.now);
    return {
      type,
      status,
      lastProbeTime: null,
      lastTransitionTime,
      ...(reason && { reason }),
      ...(message && { message }),
    };
  });
  const own = new Set([...computed.map((condition) => condition.type), ...resizeTypes]);
  const others = before.filter((condition) => !own.has(condition.type));
  return [...computed, ...others, ...resizeCondition(facts, before)];
}

/** The pod's whole status as the kubelet reports it. */
export function podStatus(facts: StatusFacts): Record<string, unknown> {
  const { pod, slots, images, hostIp, podIp, startTime } = facts;
  const phase = phaseOf(facts);
  const statusesOf = (specs: readonly ContainerSpec[]) =>
    specs.flatMap(({ name }) => {
      const slot = slots.get(name);
      return slot ? [containerStatus(slot, images)] : [];
    });
  const init = statusesOf(initContainersOf(pod));
  const ephemeral = statusesOf(ephemeralContainersOf(pod));
  return {
    phase,
    conditions: conditionsOf(facts, phase),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(podIp && { podIP: podIp, podIPs: [{ ip: podIp }] }),
    startTime: rfc3339(startTime),
    ...(init.length > 0 && { initContainerStatuses: init }),
    containerStatuses: statusesOf(containersOf(pod)),
    qosClass: qosClass(pod.spec),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
  };
}
