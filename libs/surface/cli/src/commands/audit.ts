import { environments } from "@microremed/environments";
import { findFault } from "@microremed/faults";
import { Command } from "commander";
import { auditable, planAudit } from "../audit/plan-audit.ts";
import { auditDocument, auditTable } from "../audit/render-audit.ts";
import { runAudit } from "../audit/run-audit.ts";
import { connectClient } from "../client.ts";
import { findConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { connectionTo, startLocalStack } from "../local-stack.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";

interface Options {
  readonly env: string;
  readonly failures?: string;
  readonly runs: number;
  readonly seed: number;
  readonly arenas: number;
  readonly timeScale: number;
  readonly savePath?: string;
  readonly output: "table" | "json";
}

export function auditCommand(context: Context): Command {
  return new Command("audit")
    .option("--env <name>", "environment (see `microremed environments`)", "online-boutique")
    .option("--failures <names>", "comma-separated; default: all")
    .option("--runs <n>", "runs of each failure, half shortcuts and half repairs", wholeNumber(1, 10_000), 20)
    .option("--seed <n>", "decides targets and remedies", wholeNumber(0, 100_000), 1)
    .option("--arenas <n>", "episodes at once", wholeNumber(1, 64), 8)
    .option("--time-scale <n>", "speed of embedded clusters", wholeNumber(1, 1000), 100)
    .option("--save-path <dir>", "write every episode there")
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nStarts a local range when NATS_URL is not set. See docs/scoring.md for what the two judges are.",
    )
    .action((options: Options) => audit(context, options));
}

async function audit(context: Context, options: Options): Promise<void> {
  const { env, runs, seed, arenas, timeScale } = options;
  const environment = environments.get(env);
  const failures = options.failures?.split(",").map((name) => findFault(name.trim()).name) ?? auditable;
  const planned = planAudit(environment, failures, runs, seed);
  await using resources = new AsyncDisposableStack();
  const connection =
    findConnection(context.env) ?? (await ownRange(context, resources, arenas, timeScale, seed));
  const client = resources.use(await connectClient(connection, context.log));
  const startedAt = Date.now();
  const outcome = await runAudit(client, planned, {
    environment: env,
    parallel: arenas,
    signal: context.signal,
    savePath: options.savePath,
    progress: (done, run, why) => {
      if (why !== undefined)
        context.terminal.say(`${run.failure} on ${run.target}, ${run.remedy.name}: ${why}`);
      if (done % 20 === 0 || done === planned.length)
        context.terminal.say(`${done} of ${planned.length} runs are over`);
    },
  });
  const heading = { environment: env, runs, seed, seconds: (Date.now() - startedAt) / 1000 };
  context.terminal.print(
    options.output === "json"
      ? JSON.stringify(auditDocument(heading, outcome), null, 2)
      : auditTable(heading, outcome),
  );
}

async function ownRange(
  context: Context,
  resources: AsyncDisposableStack,
  arenas: number,
  timeScale: number,
  seed: number,
) {
  const stack = resources.use(await startLocalStack(context, { arenas, timeScale, seed }));
  return connectionTo(stack);
}
