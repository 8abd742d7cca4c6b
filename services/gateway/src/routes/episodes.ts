import { Conversation, EpisodeId, Step } from "@microremed/contracts";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { Episode } from "../http/shared-schemas.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";

const tags = ["episodes"];
const params = z.strictObject({ id: EpisodeId });
const settings = { config: { access: researchers } };

/** What happened in an episode: the record, its steps, and every word that was said. */
export function addEpisodes(app: App, { client }: Pick<RangeDeps, "client">): void {
  app.route({
    ...settings,
    method: "GET",
    url: "/episodes/:id",
    schema: { ...{ tags, summary: "Show an episode" }, params, response: { 200: Episode } },
    handler: async (request) => (await client.episode(request.params.id)).record,
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/episodes/:id/steps",
    schema: {
      ...{ tags, summary: "Show what was observed, changed and submitted in an episode" },
      params,
      response: { 200: z.strictObject({ steps: z.array(Step) }) },
    },
    handler: async (request) => ({ steps: (await client.episode(request.params.id)).record.steps }),
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/episodes/:id/conversation",
    schema: {
      ...{ tags, summary: "Show what was said in an episode" },
      params,
      response: { 200: z.strictObject({ conversation: Conversation }) },
    },
    handler: async (request) => ({ conversation: await client.conversation(request.params.id) }),
  });
}
