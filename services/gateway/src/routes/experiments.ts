import { ExperimentId, ExperimentRequest, ListedExperiment } from "@microremed/contracts";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { Episode, Experiment } from "../http/shared-schemas.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";
import { Accepted, submitTo, wrongRequest } from "./submit-to.ts";

const tags = ["experiments"];
const id = z.strictObject({ id: ExperimentId });
const settings = { config: { access: researchers } };

const page = z.strictObject({
  from: z.coerce.number().int().min(0).default(0).describe("index of the first"),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

/** Submitting, listing and showing experiments. */
export function addExperiments(app: App, { client }: Pick<RangeDeps, "client">): void {
  app.route({
    ...settings,
    method: "POST",
    url: "/experiments",
    // The range's own words say what is wrong with a request, names that it does not know included.
    validatorCompiler: () => (value) => ({ value }),
    schema: {
      ...{ tags, summary: "Submit an experiment" },
      description:
        "The same request as `microremed submit` and the bus take. The same `id` twice is one experiment.",
      body: ExperimentRequest,
      response: { 202: Accepted },
    },
    handler: async (request, reply) => {
      if (typeof request.body === "object" && request.body !== null && "owner" in request.body)
        throw wrongRequest([
          { path: "owner", message: "leave it out: sessions alone have an owner, their token" },
        ]);
      const accepted = await submitTo(client, request.body);
      request.noted["experiment_id"] = accepted.experimentId;
      return reply.code(202).send(accepted);
    },
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/experiments",
    schema: {
      ...{ tags, summary: "List experiments, the newest first" },
      querystring: z.strictObject({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
      response: { 200: z.strictObject({ experiments: z.array(ListedExperiment) }) },
    },
    handler: async ({ query }) => ({ experiments: [...(await client.experiments(query.limit))] }),
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/experiments/:id",
    schema: {
      ...{ tags, summary: "Show an experiment" },
      params: id,
      response: { 200: Experiment },
    },
    handler: ({ params }) => client.experimentRecord(params.id),
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/experiments/:id/episodes",
    schema: {
      ...{ tags, summary: "Show episodes of an experiment" },
      description: "As many as fit in one answer; `next` is the index of the next page.",
      params: id,
      querystring: page,
      response: {
        200: z.strictObject({
          episodes: z.array(Episode),
          next: z.int().nullable().describe("null: these were the last"),
        }),
      },
    },
    handler: async ({ params, query }) => {
      const { episodes, next } = await client.episodes(params.id, query.from, query.limit);
      return { episodes: [...episodes], next };
    },
  });
}
