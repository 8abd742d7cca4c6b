import type { Catalogue } from "@microremed/registry";
import { toolSpecs } from "@microremed/solving";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";

const kinds = ["environments", "faults", "noises", "oracles", "tools", "tasks", "agents", "suites"] as const;
type Kind = (typeof kinds)[number];

const Entry = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("of a tool: JSON schema of its arguments"),
    tasks: z.array(z.string()).optional().describe("of an agent: the tasks that it can do; absent: all"),
  })
  .meta({ id: "Entry" });
type Entry = z.output<typeof Entry>;

const entriesOf: { readonly [K in Kind]: (catalogue: Catalogue) => Entry[] } = {
  environments: ({ environments }) =>
    environments.all().map(({ name, description }) => ({ name, description })),
  faults: ({ faults }) => faults.all().map(({ name, description }) => ({ name, description })),
  noises: ({ noises }) => noises.all().map(({ name, description }) => ({ name, description })),
  oracles: ({ oracles }) => oracles.all().map(({ name, description }) => ({ name, description })),
  tools: ({ tools }) =>
    [...toolSpecs(tools).values()].map(({ name, description, parameters }) => ({
      ...{ name, description },
      arguments: { ...parameters },
    })),
  tasks: ({ tasks }) => tasks.all().map(({ name, title }) => ({ name, description: title })),
  agents: ({ agents }) =>
    agents.all().map(({ name, description, tasks }) => ({
      ...{ name, description },
      ...(tasks !== "all" && { tasks: [...tasks] }),
    })),
  suites: ({ suites }) => suites.all().map(({ name, description }) => ({ name, description })),
};

/** What there is to choose from. */
export function addCatalogue(app: App, { catalogue }: Pick<RangeDeps, "catalogue">): void {
  app.route({
    config: { access: researchers },
    method: "GET",
    url: "/catalogue/:kind",
    schema: {
      ...{ tags: ["catalogue"], summary: "List the entries of one kind" },
      params: z.strictObject({ kind: z.enum(kinds) }),
      response: { 200: z.strictObject({ entries: z.array(Entry) }) },
    },
    handler: async ({ params }) => ({ entries: entriesOf[params.kind](catalogue) }),
  });
}
