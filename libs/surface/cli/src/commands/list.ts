import { parseModelsFile, referenceNames } from "@microremed/llm";
import { createPolicyRegistry } from "@microremed/policies";
import type { Catalogue } from "@microremed/registry";
import { plainTable, type Table } from "@microremed/scoring";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { outputOption } from "../output.ts";
import { readTextFile } from "../read-request.ts";

type Rows = readonly Readonly<Record<string, string | number>>[];

const rowsOf: Readonly<Record<string, (context: Context, catalogue: Catalogue) => Rows | Promise<Rows>>> = {
  environments: (_, { environments }) => environmentRows(environments),
  faults: (_, catalogue) => faultRows(catalogue),
  methods: (_, { agents }) => agents.all().map(({ name, description }) => ({ name, description })),
  tools: (_, { tools }) => tools.all().map(({ name, kind, description }) => ({ name, kind, description })),
  tasks: (_, { tasks }) =>
    tasks
      .all()
      .map(({ name, answer, title }) => ({ name, graded: answer === null ? "system" : "answer", title })),
  models: ({ env }) => modelRows(env),
  policies: ({ env }) => policyRows(env),
};

/** `microremed environments`, `faults`, `methods`, `tools`, `tasks`, `models`, `policies`: what is registered, as a table or as JSON. */
export function listCommand(context: Context, name: string): Command {
  return new Command(name)
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .action(async ({ output, catalogue }: CatalogueOptions & { output: "table" | "json" }) => {
      const found = (await rowsOf[name]?.(context, await catalogueOf(context, { catalogue }))) ?? [];
      context.terminal.print(
        output === "json"
          ? JSON.stringify(found, null, 2)
          : plainTable(asTable(found), context.terminal.width),
      );
    });
}

function asTable(rows: Rows): Table {
  const heading = Object.keys(rows[0] ?? {});
  return [heading, ...rows.map((row) => heading.map((column) => String(row[column] ?? "")))];
}

function environmentRows(environments: Catalogue["environments"]): Rows {
  return environments.all().map((environment) => {
    return {
      name: environment.name,
      workloads: Object.keys(environment.workloads).length,
      services: Object.keys(environment.services).length,
      targets: environment.targets.length,
      description: environment.description,
    };
  });
}

/** How often each suite has the fault, by the suite's name without its version. */
function faultRows({ faults, suites }: Catalogue): Rows {
  const listed = suites.all().filter(({ cases }) => cases.length > 0);
  return faults.all().map((fault) => ({
    name: fault.name,
    cases: listed
      .map(({ name, cases }) => `${name.split("@")[0]} ${cases.filter((one) => one === fault.name).length}`)
      .join(", "),
    title: fault.title,
  }));
}

function policyRows(env: NodeJS.ProcessEnv): Rows {
  const policies = createPolicyRegistry(env["POLICIES_DIR"] || undefined);
  return policies.names.map((name) => {
    const { modules, changes, description } = policies.get(name);
    return { name, modules: modules.includes("*") ? "all" : modules.length, changes, description };
  });
}

async function modelRows(env: NodeJS.ProcessEnv): Promise<Rows> {
  const file = env["MICROREMED_MODELS_FILE"];
  const configured = file ? parseModelsFile(await readTextFile(file, "the models file"), file).models : {};
  return [
    ...referenceNames.map((name) => ({
      name,
      kind: name === "reference/learned" ? "small network" : "rule-based",
      endpoint: "local, no key",
    })),
    ...Object.entries(configured).map(([name, model]) => ({ name, kind: "LLM", endpoint: model.baseUrl })),
  ];
}
