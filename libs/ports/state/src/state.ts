import type { Arenas } from "./arenas.ts";
import type { Claims } from "./claims.ts";
import type { ClusterHealth } from "./cluster-health.ts";
import type { Conversations } from "./conversations.ts";
import type { Episodes } from "./episodes.ts";
import type { Experiments } from "./experiments.ts";
import type { ModelCalls } from "./model-calls.ts";
import type { ModelPauses } from "./model-pauses.ts";
import type { Outbox } from "./outbox.ts";
import type { QueueReadings } from "./queue-readings.ts";
import type { Results } from "./results.ts";
import type { Sessions } from "./sessions.ts";
import type { Starts } from "./starts.ts";
import type { Tokens } from "./tokens.ts";

/**
 * What a range remembers and shares between its processes. Every operation throws retryable `state-unreachable` when it
 * cannot be reached.
 */
export interface State extends AsyncDisposable {
  /** Whether the state is connected at this moment. */
  readonly connected: boolean;
  /** Wall clock of the state, ms since the epoch: the same for every process. */
  now(): number;
  /** Identity of the range: the same for every process of it, of every other range another one. */
  rangeId(): Promise<string>;
  readonly experiments: Experiments;
  readonly episodes: Episodes;
  readonly arenas: Arenas;
  readonly clusters: ClusterHealth;
  readonly outbox: Outbox;
  readonly conversations: Conversations;
  readonly modelCalls: ModelCalls;
  readonly modelPauses: ModelPauses;
  readonly results: Results;
  readonly claims: Claims;
  readonly starts: Starts;
  readonly queueReadings: QueueReadings;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
}
