import { environments } from "@microremed/environments";
import { faults, levels } from "@microremed/faults";
import { parseModelsFile, referenceNames } from "@microremed/llm";
import { createPolicyRegistry } from "@microremed/playbook";
import { builtInCatalogue } from "@microremed/registry";
import { plainTable, type Table } from "@microremed/scoring";
import { Command } from "commander";
import type { Context } from "../context.ts";
import { outputOption } from "../output.ts";
import { readTextFile } from "../read-request.ts";

type Rows = readonly Readonly<Record<string, string | number>>[];

const rowsOf: Readonly<Record<string, (context: Context) => Rows | Promise<Rows>>> = {
  environments: environmentRows,
  faults: faultRows,
  methods: methodRows,
  models: ({ env }) => modelRows(env),
  policies: ({ env }) => policyRows(env),
};

/** `microremed environments`, `faults`, `methods`, `models`, `policies`: what is registered, as a table or as JSON. */
export function listCommand(context: Context, name: string): Command {
  return new Command(name)
    .addOption(outputOption())
    .action(async ({ output }: { output: "table" | "json" }) => {
      const found = (await rowsOf[name]?.(context)) ?? [];
      context.terminal.print(output === "json" ? JSON.stringify(found, null, 2) : plainTable(asTable(found)));
    });
}

function asTable(rows: Rows): Table {
  const heading = Object.keys(rows[0] ?? {});
  return [heading, ...rows.map((row) => heading.map((column) => String(row[column] ?? "")))];
}

function environmentRows(): Rows {
  return environments.names().map((name) => {
    const environment = environments.get(name);
    return {
      name,
      workloads: Object.keys(environment.workloads).length,
      services: Object.keys(environment.services).length,
      targets: environment.targets.length,
      description: environment.description,
    };
  });
}

function faultRows(): Rows {
  return Object.values(faults).map((fault) => ({
    name: fault.name,
    cases: Object.entries(levels)
      .filter(([level]) => ["easy", "medium", "hard"].includes(level))
      .map(([level, sequence]) => `${level} ${sequence.filter((name) => name === fault.name).length}`)
      .join(", "),
    title: fault.title,
  }));
}

async function methodRows(): Promise<Rows> {
  const { agents } = await builtInCatalogue();
  return agents.all().map(({ name, description }) => ({ name, description }));
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
    ...referenceNames.map((name) => ({ name, kind: "rule-based", endpoint: "local, no key" })),
    ...Object.entries(configured).map(([name, model]) => ({ name, kind: "LLM", endpoint: model.baseUrl })),
  ];
}
