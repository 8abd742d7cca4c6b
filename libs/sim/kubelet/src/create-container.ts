import {
  boundTo,
  type ContainerRuntime,
  createTerminal,
  entryPointOf,
  FileTree,
  nextPid,
  type PodSandbox,
  type Process,
  wholePod,
} from "@microremed/sim-machine";
import { type KubeObject, parseQuantity, requestOf } from "@microremed/sim-objects";
import type { EventLoop } from "@microremed/sim-time";
import { containerId, expandAll } from "./container-env.ts";
import type { ContainerSpec } from "./container-spec.ts";
import type { ImageCatalog } from "./image-catalog.ts";
import { filesOfImage } from "./image-files.ts";
import { impliedServer, startsWithScript } from "./implied-server.ts";

export interface NewContainer {
  readonly pod: KubeObject;
  readonly sandbox: PodSandbox;
  readonly spec: ContainerSpec;
  readonly init: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly restarts: number;
  readonly now: number;
  /** What of the container changes belongs to the cluster's snapshots. */
  readonly keep: EventLoop["keep"];
}

const mebibyte = 1024 * 1024;
const isOfJob = ({ metadata }: KubeObject): boolean =>
  (metadata.ownerReferences ?? []).some(({ kind }) => kind === "Job");

/** A container as it is at the moment of its start: one main process, nothing used yet. */
export function createContainer(images: ImageCatalog, from: NewContainer): ContainerRuntime {
  const { pod, spec, env, now, keep } = from;
  const known = images.behaviourOf(spec, pod.metadata.labels, pod.metadata.namespace);
  const isPause = images.isPause(spec.image);
  const isOther = from.init || spec.targetContainerName !== undefined || spec.stdin === true || isPause;
  const ownPrograms = images.programsOf(spec.image);
  const implied = known || isOther ? undefined : impliedServer(spec, ownPrograms);
  const behaviour = known ?? implied;
  const command = expandAll([...(spec.command ?? []), ...(spec.args ?? [])], env);
  // An image whose program is not known has a shell as its command, which arguments replace.
  const replaces = spec.command || (command.length > 0 && !known && !isPause);
  const shown = replaces ? command.join(" ") : [entryPointOf(behaviour, isPause), ...command].join(" ");
  const pidsOf = pod.spec.shareProcessNamespace ? wholePod : spec.targetContainerName;
  const user = pod.spec.securityContext?.runAsUser ?? "root";
  return keep<ContainerRuntime>({
    id: containerId(pod.metadata.uid, spec.name, from.restarts, now),
    name: spec.name,
    image: spec.image,
    init: from.init,
    command,
    env,
    behaviour,
    ...(isOfJob(pod) && { isTask: true }),
    ...(implied && { isImplied: true, isDialling: startsWithScript(spec) }),
    ownPrograms,
    boundTo: behaviour && boundTo(command, from.sandbox.ip),
    ...(pidsOf && { pidsOf }),
    capabilities: spec.securityContext?.capabilities?.add ?? [],
    cpuRequest: requestOf(spec, "cpu"),
    cpuLimit: parseQuantity(spec.resources?.limits?.["cpu"] ?? ""),
    memoryRequest: requestOf(spec, "memory"),
    memoryLimit: parseQuantity(spec.resources?.limits?.["memory"] ?? ""),
    startedAt: now,
    startupLeft: behaviour?.startupCpuSeconds ?? 0,
    processes: keep([
      keep<Process>({
        pid: nextPid(from.sandbox, { name: spec.name, pidsOf, startedAt: now }, true),
        command: shown,
        kind: "main",
        user: String(user),
        startedAt: now,
        cpuDemand: 0,
        memoryBytes: (behaviour?.memoryMi ?? 1) * mebibyte,
      }),
    ]),
    usage: keep({
      cpu: 0,
      cpuTotal: 0,
      throttled: 0,
      throttledSecondsTotal: 0,
      periodsTotal: 0,
      throttledPeriodsTotal: 0,
      memory: 0,
    }),
    files: keep(new FileTree(filesOfImage(spec.image))),
    mounts: new Map((spec.volumeMounts ?? []).map(({ mountPath, name }) => [mountPath, name])),
    subPaths: new Map(
      (spec.volumeMounts ?? []).flatMap(({ mountPath, subPath }) => (subPath ? [[mountPath, subPath]] : [])),
    ),
    ioFaults: keep([]),
    httpFaults: keep([]),
    logs: keep([]),
    ...(spec.stdin && {
      terminal: createTerminal({ tty: spec.tty === true, once: spec.stdinOnce === true }, keep),
    }),
    oomKilled: false,
  });
}
