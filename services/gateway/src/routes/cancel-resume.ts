import { drawsKeyOf, type EpisodeRecord, ExperimentId, type ExperimentRecord } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { remainingRequests } from "@microremed/planner";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";
import { Accepted, submitTo } from "./submit-to.ts";

const tags = ["experiments"];
const id = z.strictObject({ id: ExperimentId });
const settings = { config: { access: researchers } };

/** Ending an experiment, and running what it has no result of. */
export function addCancelAndResume(app: App, { client }: Pick<RangeDeps, "client">): void {
  app.route({
    ...settings,
    method: "POST",
    url: "/experiments/:id/cancel",
    schema: {
      ...{ tags, summary: "Cancel an experiment" },
      description: "Running episodes end when their arenas are restored.",
      params: id,
      response: { 202: z.strictObject({ experimentId: ExperimentId }) },
    },
    handler: async (request, reply) => {
      const { id: experimentId } = request.params;
      request.noted["experiment_id"] = experimentId;
      const { status } = await client.experimentRecord(experimentId);
      if (status !== "running")
        throw terminal("conflict", `there is nothing to cancel: ${experimentId} is ${status}`);
      await client.cancel(experimentId);
      return reply.code(202).send({ experimentId });
    },
  });

  app.route({
    ...settings,
    method: "POST",
    url: "/experiments/:id/resume",
    schema: {
      ...{ tags, summary: "Run what an experiment has no result of" },
      description:
        "Starts an experiment for each model with the episodes that were cancelled, or ended as harness errors or failed injections. Their numbers in the first experiment are in `numbers`.",
      params: id,
      response: { 202: z.strictObject({ started: z.array(Accepted.extend({ numbers: z.array(z.int()) })) }) },
    },
    handler: async (request, reply) => {
      const { experiment, episodes } = await client.experiment(request.params.id);
      const done = new Set(episodes.filter(({ outcome }) => hasResult(outcome)).map(({ index }) => index));
      assertResumable(experiment);
      const all = Array.from({ length: experiment.episodes }, (_, index) => index);
      const parts = remainingRequests(
        experiment.request,
        drawsKeyOf(experiment),
        all.filter((index) => !done.has(index)),
      );
      const started = [];
      for (const part of parts)
        started.push({ ...(await submitTo(client, part.request)), numbers: [...part.numbers] });
      request.noted["experiment_id"] = experiment.id;
      return reply.code(202).send({ started });
    },
  });
}

const hasResult = (outcome: EpisodeRecord["outcome"]): boolean =>
  outcome !== null && !["harness-error", "cancelled", "injection-failed"].includes(outcome);

function assertResumable({ id, status, request }: ExperimentRecord): void {
  if (status === "running")
    throw terminal("invalid-request", `${id} is still running; cancel it first, or wait for its end`);
  if (request.episodes !== undefined)
    throw terminal("invalid-request", `${id} is itself a part of an experiment; resume the whole one`);
}
