import type { Agent } from "@microremed/catalogue";
import { type ChatClient, createModels } from "@microremed/llm";
import type { Catalogue } from "@microremed/registry";
import type { InProcessRangeOptions } from "../start-in-process-range.ts";

/** For `startInProcessRange`: every model is played by this client. */
export const playedBy = (client: ChatClient): NonNullable<InProcessRangeOptions["models"]> => ({
  models: createModels({ env: {}, fallback: { baseUrl: "http://models.invalid/v1", apiKey: null } }),
  connectModel: () => client,
});

/** A catalogue that has one more agent. */
export const withAgent = (catalogue: Catalogue, agent: Agent): Catalogue => ({
  ...catalogue,
  agents: {
    ...catalogue.agents,
    get: (name) => (name === agent.name ? agent : catalogue.agents.get(name)),
    has: (name) => name === agent.name || catalogue.agents.has(name),
    all: () => [...catalogue.agents.all(), agent],
    names: [...catalogue.agents.names, agent.name],
  },
});
