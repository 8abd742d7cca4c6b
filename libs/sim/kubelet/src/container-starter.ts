import type { PodSandbox } from "@microremed/sim-machine";
import type { KubeObject } from "@microremed/sim-objects";
import { resolveEnv } from "./container-env.ts";
import type { ContainerSlot } from "./container-slot.ts";
import type { ContainerSpec } from "./container-spec.ts";
import type { KubeletContext } from "./context.ts";
import { createContainer } from "./create-container.ts";
import { fullImageName } from "./image-catalog.ts";

export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  /** The runtime could not even start it. */
  readonly neverRan?: boolean;
}

/** What the starting of containers needs of their pod. */
interface StarterHost {
  object(): KubeObject;
  sandbox(): PodSandbox | undefined;
  changed(): void;
  event(slot: ContainerSlot, type: "Normal" | "Warning", reason: string, message: string): void;
  running(slot: ContainerSlot): void;
  exited(slot: ContainerSlot, end: ContainerEnd): void;
}

const configRetryMs = 5000;
const pullFailureShownMs = 3000;

/** Registry, path in lower case, tag, digest. */
const imageReference =
  /^(?:[a-zA-Z0-9.-]+(?::\d+)?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[a-z0-9]+:[0-9a-f]+)?$/;

/** Brings one container up: image, configuration, creation, start, each with its events and failures. */
export function createContainerStarter(ctx: KubeletContext, host: StarterHost) {
  const { loop, store, images, pulled, rng } = ctx;

  /** Runs `task` later unless what the slot is busy with has become void by then. */
  function later(slot: ContainerSlot, ms: number, name: string, task: () => void): void {
    const { epoch } = slot;
    loop.after(ms, name, () => {
      if (slot.epoch === epoch) task();
    });
  }

  function wait(slot: ContainerSlot, reason: string, message?: string): void {
    if (slot.state.type === "terminated") slot.last = slot.state;
    slot.state = { type: "waiting", reason, ...(message !== undefined && { message }) };
    host.changed();
  }

  function pull(slot: ContainerSlot, spec: ContainerSpec, then: () => void): void {
    if (!imageReference.test(spec.image)) {
      const message = `Failed to apply default image tag "${spec.image}": couldn't parse image name "${spec.image}": invalid reference format`;
      host.event(slot, "Warning", "InspectFailed", message);
      host.event(slot, "Warning", "Failed", "Error: InvalidImageName");
      wait(slot, "InvalidImageName", message);
      later(slot, configRetryMs, "kubelet.pull", () => pull(slot, spec, then));
      return;
    }
    const node: string = host.object().spec.nodeName;
    const key = `${node}/${fullImageName(spec.image)}`;
    const present = pulled.has(key);
    const latest = fullImageName(spec.image).endsWith(":latest");
    const policy = spec.imagePullPolicy ?? (latest ? "Always" : "IfNotPresent");
    if (present && policy !== "Always") {
      host.event(slot, "Normal", "Pulled", `Container image "${spec.image}" already present on machine`);
      then();
      return;
    }
    if (policy === "Never") {
      const message = `Container image "${spec.image}" is not present with pull policy of Never`;
      host.event(slot, "Warning", "ErrImageNeverPull", message);
      wait(slot, "ErrImageNeverPull", message);
      later(slot, configRetryMs, "kubelet.pull", () => pull(slot, spec, then));
      return;
    }
    host.event(slot, "Normal", "Pulling", `Pulling image "${spec.image}"`);
    const ms = present ? 200 + rng.int(300) : 600 + rng.int(1400);
    later(slot, ms, "kubelet.pull", () => {
      if (!images.exists(spec.image)) {
        failPull(slot, spec, then);
        return;
      }
      pulled.add(key);
      slot.pulls.forget(spec.image);
      const took = ms < 1000 ? `${ms}ms` : `${(ms / 1000).toFixed(3)}s`;
      const message = `Successfully pulled image "${spec.image}" in ${took} (${took} including waiting). Image size: ${images.sizeOf(spec.image)} bytes.`;
      host.event(slot, "Normal", "Pulled", message);
      then();
    });
  }

  function failPull(slot: ContainerSlot, spec: ContainerSpec, then: () => void): void {
    const name = fullImageName(spec.image);
    const cause = `rpc error: code = NotFound desc = failed to pull and unpack image "${name}": failed to resolve reference "${name}": ${name}: not found`;
    const now = loop.now();
    slot.pulls.next(spec.image, now, now);
    const delay = slot.pulls.delay(spec.image);
    host.event(slot, "Warning", "Failed", `Failed to pull image "${spec.image}": ${cause}`);
    host.event(slot, "Warning", "Failed", "Error: ErrImagePull");
    wait(slot, "ErrImagePull", cause);
    later(slot, pullFailureShownMs, "kubelet.pull-backoff", () => {
      host.event(slot, "Normal", "BackOff", `Back-off pulling image "${spec.image}"`);
      host.event(slot, "Warning", "Failed", "Error: ImagePullBackOff");
      wait(slot, "ImagePullBackOff", `Back-off pulling image "${spec.image}"`);
    });
    later(slot, delay, "kubelet.pull", () => pull(slot, spec, then));
  }

  function create(slot: ContainerSlot, spec: ContainerSpec): void {
    const pod = host.object();
    const sandbox = host.sandbox();
    if (!sandbox) return;
    const hostIP = ctx.hostIp(sandbox.nodeName);
    const resolved = resolveEnv(store, { pod, podIP: sandbox.ip, hostIP }, spec);
    if ("error" in resolved) {
      host.event(slot, "Warning", "Failed", `Error: ${resolved.error}`);
      wait(slot, "CreateContainerConfigError", resolved.error);
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
      const where = program.includes("/")
        ? `stat ${program}: no such file or directory`
        : "executable file not found in $PATH";
      const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "${program}": ${where}: unknown`;
      host.event(slot, "Warning", "Failed", `Error: ${message}`);
      host.exited(slot, { exitCode: 128, reason: "StartError", message, neverRan: true });
      return;
    }
    slot.runtime = runtime;
    slot.state = { type: "running", startedAt: now };
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
    later,
  };
}
