import type { Bus } from "@microremed/bus";
import type { Logger } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import type { Catalogue } from "@microremed/registry";
import type { State } from "@microremed/state";
import type { EventHub } from "../event-hub.ts";
import type { SessionLimits } from "../sessions/session-budgets.ts";

/** What routes work with. */
export interface RangeDeps {
  readonly bus: Bus;
  /** Over the same bus. */
  readonly client: RangeClient;
  readonly catalogue: Catalogue;
  readonly hub: EventHub;
  readonly tokens: State["tokens"];
  readonly limits: SessionLimits;
  readonly log: Logger;
  /** Aborted when the gateway stops. */
  readonly signal: AbortSignal;
}

/** Who may see experiments and all that is in them. */
export const researchers = ["researcher", "admin"] as const;
