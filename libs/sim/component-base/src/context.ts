import type { Logger, Rng } from "@microremed/core";
import type { AdmissionHook } from "@microremed/sim-kinds";
import type { ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";
import type { EventRecorder } from "./event-recorder.ts";
import type { OwnerIndex } from "./owner-index.ts";

/** What every controller of one cluster shares. */
export interface ControllerContext {
  readonly store: Store;
  readonly loop: EventLoop;
  readonly rng: Rng;
  readonly log: Logger;
  readonly events: EventRecorder;
  /** Every kind whose objects may own others, be owned, or live in a namespace. */
  readonly allResources: readonly ResourceRef[];
  readonly podsByOwner: OwnerIndex;
  /** What the API server asks about the objects that controllers create; absent: nothing. */
  readonly webhooks?: AdmissionHook | undefined;
}
