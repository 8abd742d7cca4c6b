import type { Arena, ErrorInfo, Stage, StageResult } from "@microremed/contracts";

/** What can happen to an episode. */
export type EpisodeEvent =
  | { readonly kind: "leased"; readonly arena: Arena }
  | { readonly kind: "result"; readonly result: StageResult }
  /** The command that is out, or its result, went to the dead letters: no result will come. */
  | {
      readonly kind: "dead-letter";
      readonly stage: Stage;
      readonly trial: number;
      readonly attempt: number;
      readonly error: ErrorInfo;
    }
  /** The clock was read: the stage that is out may be lost. */
  | { readonly kind: "overdue" }
  /** The command that is out still waits in its queue, and no service takes any from there. */
  | { readonly kind: "unserved" }
  /** The same, and its cluster has left the clusters file: none will. */
  | { readonly kind: "cluster-removed" }
  /** Its experiment was cancelled; `by`: its agent has left. */
  | { readonly kind: "cancel"; readonly by?: "agent" | undefined }
  /** No arena will ever be free for it. */
  | { readonly kind: "no-arena"; readonly reason: string }
  /** It cannot begin: the catalogue of the scheduler that leased an arena for it lacks the entry that the error names. */
  | { readonly kind: "no-entry"; readonly error: ErrorInfo }
  /** The provider of its model has failed for too long. */
  | { readonly kind: "no-model"; readonly reason: string };
