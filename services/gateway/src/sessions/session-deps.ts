import type { Bus } from "@microremed/bus";
import type { Logger } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import type { State } from "@microremed/state";
import type { EventHub } from "../event-hub.ts";
import type { KnownProblems } from "./plan-wanted.ts";
import type { SessionLimits } from "./session-budgets.ts";

/** What sessions work with. */
export interface SessionDeps {
  readonly bus: Pick<Bus, "request">;
  readonly client: Pick<RangeClient, "submit" | "cancel">;
  readonly sessions: State["sessions"];
  readonly tokens: Pick<State["tokens"], "charge">;
  /** Wall clock of the state, ms. */
  readonly now: () => number;
  readonly hub: Pick<EventHub, "listen">;
  readonly catalogue: KnownProblems;
  readonly limits: SessionLimits;
  readonly log: Logger;
}
