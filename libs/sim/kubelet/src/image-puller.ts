import type { ContainerHost } from "./container-host.types.ts";
import { type ContainerSlot, showWaiting } from "./container-slot.ts";
import type { ContainerSpec } from "./container-spec.ts";
import type { KubeletContext } from "./context.ts";
import { fullImageName } from "./image-name.ts";
import { pullDecision } from "./pull-decision.ts";
import { findPullSecrets, pullError } from "./pull-error.ts";

const configRetryMs = 5000;
const pullFailureShownMs = 3000;

type Pull = (slot: ContainerSlot, spec: ContainerSpec, then: () => void) => void;

/** Brings a container's image onto its node, with the kubelet's events and back-off; `then` runs when it is there. */
export function createImagePuller(
  { loop, images, pulled, rng, store }: Pick<KubeletContext, "loop" | "images" | "pulled" | "rng" | "store">,
  host: ContainerHost,
): Pull {
  function wait(slot: ContainerSlot, reason: string, message: string): void {
    showWaiting(slot, reason, message);
    host.changed();
  }

  const retry = (slot: ContainerSlot, spec: ContainerSpec, ms: number, then: () => void): void =>
    host.later(slot, ms, "kubelet.pull", () => pull(slot, spec, then));

  function pull(slot: ContainerSlot, spec: ContainerSpec, then: () => void): void {
    const node: string = host.object().spec.nodeName;
    const key = `${node}/${fullImageName(spec.image)}`;
    const decision = pullDecision(spec, pulled.has(key));
    switch (decision.do) {
      case "refuse":
        for (const { reason, message } of decision.events) host.event(slot, "Warning", reason, message);
        wait(slot, decision.reason, decision.message);
        retry(slot, spec, configRetryMs, then);
        return;
      case "use":
        host.event(slot, "Normal", "Pulled", `Container image "${spec.image}" already present on machine`);
        then();
        return;
      case "pull":
        warnOfMissingSecrets(slot);
        host.event(slot, "Normal", "Pulling", `Pulling image "${spec.image}"`);
        download(slot, spec, key, then);
    }
  }

  function download(slot: ContainerSlot, spec: ContainerSpec, key: string, then: () => void): void {
    // Of an image that is there already only the digest is asked for.
    const ms = pulled.has(key) ? 200 + rng.int(300) : 600 + rng.int(1400);
    host.later(slot, ms, "kubelet.pull", () => {
      if (!images.exists(spec.image)) {
        fail(slot, spec, then);
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

  function warnOfMissingSecrets(slot: ContainerSlot): void {
    const { missing } = findPullSecrets(store, host.object());
    if (missing.length === 0) return;
    const message = `Unable to retrieve some image pull secrets (${missing.join(", ")}); attempting to pull the image may not succeed.`;
    host.event(slot, "Warning", "FailedToRetrieveImagePullSecret", message);
  }

  function fail(slot: ContainerSlot, spec: ContainerSpec, then: () => void): void {
    const cause = pullError(spec.image, findPullSecrets(store, host.object()).registries);
    const now = loop.now();
    slot.pulls.next(spec.image, now, now);
    const delay = slot.pulls.delay(spec.image);
    host.event(slot, "Warning", "Failed", `Failed to pull image "${spec.image}": ${cause}`);
    host.event(slot, "Warning", "Failed", "Error: ErrImagePull");
    wait(slot, "ErrImagePull", cause);
    host.later(slot, pullFailureShownMs, "kubelet.pull-backoff", () => {
      host.event(slot, "Normal", "BackOff", `Back-off pulling image "${spec.image}"`);
      host.event(slot, "Warning", "Failed", "Error: ImagePullBackOff");
      wait(slot, "ImagePullBackOff", `Back-off pulling image "${spec.image}"`);
    });
    retry(slot, spec, delay, then);
  }

  return pull;
}
