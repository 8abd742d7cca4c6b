import type { ContainerSpec } from "./container-spec.ts";
import { fullImageName } from "./image-name.ts";

/** What the kubelet does about a container's image. */
export type PullDecision =
  | { readonly do: "use" }
  | { readonly do: "pull" }
  | {
      readonly do: "refuse";
      /** Of the container's waiting state. */
      readonly reason: string;
      readonly message: string;
      readonly events: readonly { readonly reason: string; readonly message: string }[];
    };

/** Registry, path in lower case, tag, digest. */
const imageReference =
  /^(?:[a-zA-Z0-9.-]+(?::\d+)?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@[a-z0-9]+:[0-9a-f]+)?$/;

/** The pull policy. `present`: the image is on the node. */
export function pullDecision({ image, imagePullPolicy }: ContainerSpec, present: boolean): PullDecision {
  if (!imageReference.test(image)) {
    const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
    const failed = { reason: "Failed", message: "Error: InvalidImageName" };
    const events = [{ reason: "InspectFailed", message }, failed];
    return { do: "refuse", reason: "InvalidImageName", message, events };
  }
  const policy = imagePullPolicy ?? (fullImageName(image).endsWith(":latest") ? "Always" : "IfNotPresent");
  if (present && policy !== "Always") return { do: "use" };
  if (policy !== "Never") return { do: "pull" };
  const message = `Container image "${image}" is not present with pull policy of Never`;
  const event = { reason: "ErrImageNeverPull", message };
  return { do: "refuse", ...event, events: [event] };
}
