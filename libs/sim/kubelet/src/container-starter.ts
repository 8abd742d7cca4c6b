import { type HostAlias, kubeletHosts, type PodSandbox } from "@microremed/sim-machine";
import { resolveEnv } from "./container-env.ts";
import type { ContainerEnd, ContainerHost } from "./container-host.types.ts";
import { type ContainerSlot, showWaiting } from "./container-slot.ts";
import type { ContainerSpec } from "./container-spec.ts";
import type { KubeletContext } from "./context.ts";
import { createContainer } from "./create-container.ts";
import { createImagePuller } from "./image-puller.ts";

/** What the starting of containers needs of their pod. */
interface StarterHost extends ContainerHost {
  running(slot: ContainerSlot): void;
  exited(slot: ContainerSlot, end: ContainerEnd): void;
}

const configRetryMs = 5000;

/** Why the runtime can't execute a program, in runc's words. */
function notExecutable(program: string): string {
  const where = program.includes("/")
    ? `stat ${program}: no such file or directory`
    : "executable file not found in $PATH";
  return `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "${program}": ${where}: unknown`;
}

/** Brings one container up: image, configuration, creation, start, each with its events and failures. */
export function createContainerStarter(ctx: KubeletContext, host: StarterHost) {
  const { loop, store, images, rng } = ctx;
  const { later } = host;
  const pull = createImagePuller(ctx, host);

  function create(slot: ContainerSlot, spec: ContainerSpec): void {
    const pod = host.object();
    const sandbox = host.sandbox();
    if (!sandbox) return;
    const hostIP = ctx.hostIp(sandbox.nodeName);
    const { ip: podIP, hostname } = sandbox;
    const resolved = resolveEnv(store, { pod, podIP, hostIP, hostname }, spec);
    if ("error" in resolved) {
      host.event(slot, "Warning", "Failed", `Error: ${resolved.error}`);
      showWaiting(slot, "CreateContainerConfigError", resolved.error);
      host.changed();
      later(slot, configRetryMs, "kubelet.create", () => create(slot, spec));
      return;
    }
    host.event(slot, "Normal", "Created", `Created container ${slot.name}`);
    later(slot, 150 + rng.int(250), "kubelet.start", () => start(slot, spec, sandbox, resolved.env));
  }

  function start(
    slot: ContainerSlot,
    spec: ContainerSpec,
    sandbox: PodSandbox,
    env: Readonly<Record<string, string>>,
  ): void {
    const isRestart = slot.last !== undefined || slot.state.type === "terminated";
    if (slot.state.type === "terminated") slot.last = slot.state;
    if (isRestart) slot.restartCount += 1;
    slot.busy = false;
    slot.spec = spec;
    slot.image = spec.image;
    const now = loop.now();
    const pod = host.object();
    const runtime = createContainer(images, {
      pod,
      sandbox,
      spec,
      init: slot.init,
      env,
      restarts: slot.restartCount,
      now,
      keep: loop.keep,
    });
    slot.containerId = runtime.id;
    const program = spec.command?.[0];
    if (program !== undefined && !images.canRun(spec.image, program)) {
      const message = notExecutable(program);
      host.event(slot, "Warning", "Failed", `Error: ${message}`);
      host.exited(slot, { exitCode: 128, reason: "StartError", message, neverRan: true });
      return;
    }
    slot.runtime = runtime;
    slot.state = { type: "running", startedAt: now };
    sandbox.hosts = kubeletHosts(
      sandbox,
      (pod.spec as { hostAliases?: readonly HostAlias[] }).hostAliases ?? [],
    );
    sandbox.containers.set(slot.name, runtime);
    host.event(slot, "Normal", "Started", `Started container ${slot.name}`);
    host.running(slot);
  }

  return {
    /** Starts the container of `spec`; the slot is busy until it runs or has failed for good. */
    start(slot: ContainerSlot, spec: ContainerSpec): void {
      slot.busy = true;
      slot.busyImage = spec.image;
      slot.epoch += 1;
      pull(slot, spec, () => create(slot, spec));
    },
    /** Gives up what the slot is busy with. */
    cancel(slot: ContainerSlot): void {
      slot.epoch += 1;
      slot.busy = false;
    },
  };
}
