import type { z } from "zod";
import {
  ClusterList,
  ClusterLook,
  ClusterLookReply,
  ClusterRelease,
  ClusterReleaseReply,
  ClustersQuery,
} from "./cluster-health.ts";
import {
  ExecuteCommand,
  InjectCommand,
  PrepareCommand,
  RemediateCommand,
  RestoreCommand,
  VerifyCommand,
} from "./commands.ts";
import { RangeEvent } from "./events.ts";
import { CancelRequest, ExperimentRequest } from "./request.ts";
import { StageResult } from "./results.ts";
import {
  ConversationQuery,
  ConversationReply,
  ExperimentPage,
  ExperimentQuery,
  PlaybookAnswer,
  PlaybookAnswerReply,
  ProbeReply,
  ProbeRequest,
} from "./rpc.ts";

/** One kind of message: where it travels, who sends and who handles it. The message reference is made from this. */
export interface CatalogEntry {
  readonly name: string;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly schema: z.ZodType;
  /** For request and reply. */
  readonly reply?: z.ZodType;
  readonly doc: string;
}

export const catalog: readonly CatalogEntry[] = [
  {
    name: "ExperimentRequest",
    subject: "microremed.experiments.submit",
    from: "any client",
    to: "scheduler",
    schema: ExperimentRequest,
    doc: "Starts an experiment. Answered by an experiment-started or experiment-rejected event, and by a SubmitReply on the subject named in the header `Microremed-Reply-To`.",
  },
  {
    name: "CancelRequest",
    subject: "microremed.experiments.cancel",
    from: "any client",
    to: "scheduler",
    schema: CancelRequest,
    doc: "Ends an experiment; running episodes are restored first.",
  },
  {
    name: "PrepareCommand",
    subject: "microremed.commands.prepare.<cluster>",
    from: "scheduler",
    to: "injector",
    schema: PrepareCommand,
    doc: "Deploy the environment into the arena if needed, and see it healthy.",
  },
  {
    name: "InjectCommand",
    subject: "microremed.commands.inject.<cluster>",
    from: "scheduler",
    to: "injector",
    schema: InjectCommand,
    doc: "Measure the baseline, inject the failure, prove that it is there.",
  },
  {
    name: "RemediateCommand",
    subject: "microremed.commands.remediate.<model>",
    from: "scheduler",
    to: "remediator",
    schema: RemediateCommand,
    doc: "Run one turn of the method, ending in a playbook or in none.",
  },
  {
    name: "ExecuteCommand",
    subject: "microremed.commands.execute.<cluster>",
    from: "scheduler",
    to: "executor",
    schema: ExecuteCommand,
    doc: "Run one playbook against the arena.",
  },
  {
    name: "VerifyCommand",
    subject: "microremed.commands.verify.<cluster>",
    from: "scheduler",
    to: "verifier",
    schema: VerifyCommand,
    doc: "Run the failure's oracles until they hold or the deadline passes.",
  },
  {
    name: "RestoreCommand",
    subject: "microremed.commands.restore.<cluster>",
    from: "scheduler",
    to: "injector",
    schema: RestoreCommand,
    doc: "Remove the failure and bring the arena back to its baseline, or redeploy it.",
  },
  {
    name: "StageResult",
    subject: "microremed.results.<stage>",
    from: "the stage's service",
    to: "scheduler",
    schema: StageResult,
    doc: "What came of a command; `stage` tells which.",
  },
  {
    name: "RangeEvent",
    subject: "microremed.events.<experiment>.<episode>.<type>",
    from: "scheduler",
    to: "clients, exporters",
    schema: RangeEvent,
    doc: "What happened, for people and exporters. `<episode>` is `-` for events of the whole experiment.",
  },
  {
    name: "ProbeRequest",
    subject: "microremed.rpc.probe.<cluster>",
    from: "remediator",
    to: "executor",
    schema: ProbeRequest,
    reply: ProbeReply,
    doc: "Look at the arena: one read-only command, or a question to its telemetry (request and reply, no stream).",
  },
  {
    name: "PlaybookAnswer",
    subject: "microremed.rpc.answer.<episode>",
    from: "any client",
    to: "remediator",
    schema: PlaybookAnswer,
    reply: PlaybookAnswerReply,
    doc: "A person's playbook for an episode whose method waits for it (request and reply; nobody answers when none waits).",
  },
  {
    name: "ExperimentQuery",
    subject: "microremed.rpc.experiments",
    from: "any client",
    to: "scheduler",
    schema: ExperimentQuery,
    reply: ExperimentPage,
    doc: "An experiment and a page of its episodes (request and reply).",
  },
  {
    name: "ConversationQuery",
    subject: "microremed.rpc.conversations",
    from: "any client",
    to: "scheduler",
    schema: ConversationQuery,
    reply: ConversationReply,
    doc: "The stored conversation of one episode (request and reply).",
  },
  {
    name: "ClusterLook",
    subject: "microremed.rpc.look.<cluster>",
    from: "scheduler",
    to: "injector",
    schema: ClusterLook,
    reply: ClusterLookReply,
    doc: "Whether a quarantined cluster answers again (request and reply).",
  },
  {
    name: "ClustersQuery",
    subject: "microremed.rpc.clusters",
    from: "any client",
    to: "scheduler",
    schema: ClustersQuery,
    reply: ClusterList,
    doc: "The registered clusters with their arenas and quarantines (request and reply).",
  },
  {
    name: "ClusterRelease",
    subject: "microremed.rpc.release",
    from: "admin",
    to: "scheduler",
    schema: ClusterRelease,
    reply: ClusterReleaseReply,
    doc: "Ends the quarantine of a cluster and of its arenas at once (request and reply).",
  },
];
