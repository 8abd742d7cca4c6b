import { join } from "node:path";
import { counted } from "@microremed/core";
import { buildLeaderboard, type EnteredRun, shortTableOf } from "@microremed/leaderboard";
import { plainTable } from "@microremed/scoring";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { rangeOption, timeScaleOption } from "../choose-range.ts";
import { foldersOfRuns } from "../compare/read-runs.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Check, checkRun } from "../leaderboard/check-run.ts";
import { readEntry, readSigned } from "../leaderboard/read-entry.ts";
import { signRun, writeKey } from "../leaderboard/sign-run.ts";
import { takeIn, writeSite } from "../leaderboard/write-site.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import type { ReplayOptions } from "../replay/replay-episode.ts";

/** `microremed leaderboard keys|sign|submit|build`: signed runs, and a page that compares them. */
export function leaderboardCommand(context: Context): Command {
  const group = new Command("leaderboard").addHelpText(
    "after",
    `
Example, from a run to a page:
  microremed run --suite range@3 --agent reference/expert --save-path runs/expert
  microremed leaderboard keys --out key.pem
  microremed leaderboard sign runs/expert --key key.pem --agent expert --agent-version 1 --by "Our team"
  microremed leaderboard submit runs/expert --to board
  microremed leaderboard build board --out site`,
  );
  for (const verb of [keys(context), sign(context), submit(context), build(context)]) group.addCommand(verb);
  return group;
}

function keys(context: Context): Command {
  return new Command("keys")
    .description("make a key to sign runs with (Ed25519); keep it: who has it signs in your name")
    .option("--out <file>", "file for the private key, which must not exist yet", "key.pem")
    .action(async ({ out }: { readonly out: string }) => {
      context.terminal.print(await writeKey(out));
      context.terminal.say(`the private key is in ${out}; the line above is the fingerprint to publish`);
    });
}

interface SignOptions extends CatalogueOptions {
  readonly key: string;
  readonly agent: string;
  readonly agentVersion: string;
  readonly by: string;
  readonly url?: string;
}

function sign(context: Context): Command {
  return new Command("sign")
    .description("sign a finished run: who was tried, and the digest of each of its files")
    .argument("<run>", "folder that was written with --save-path")
    .requiredOption("--key <file>", "private key, from `leaderboard keys`")
    .requiredOption("--agent <name>", "name of the agent")
    .requiredOption("--agent-version <text>", "its version: a release, a commit")
    .requiredOption("--by <name>", "who submits: a person, a team")
    .option("--url <url>", "where the agent is described, https")
    .addOption(catalogueOption(context))
    .action(async (run: string, { key, agentVersion: version, agent, by, url, ...options }: SignOptions) => {
      const catalogue = await catalogueOf(context, options);
      await signRun(context, run, catalogue, { agent, version, by, url }, key);
    });
}

interface SubmitOptions extends ReplayOptions {
  readonly replays: number;
  readonly to?: string;
  readonly output: "table" | "json";
}

function submit(context: Context): Command {
  return new Command("submit")
    .description(
      "check a signed run: its files, its plan, its outcomes, and replays; then copy it to a board",
    )
    .argument("<run>", "folder with a signed run")
    .option("--replays <n>", "episodes to run again, drawn at random", wholeNumber(0, 1000), 3)
    .option("--to <folder>", "folder of a board: a run that passes is copied there")
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .addHelpText("after", "\nExits with 0 when every check passes, with 5 when one does not.")
    .action(async (run: string, { to, output, ...options }: SubmitOptions) => {
      const catalogue = await catalogueOf(context, options);
      const checks: Check[] = [];
      for await (const check of checkRun(context, run, catalogue, options)) {
        checks.push(check);
        if (output === "table") context.terminal.print(lineOf(check));
      }
      const passed = checks.every((check) => check.passed);
      const digest = (await readSigned(run).catch(() => undefined))?.digest;
      const board =
        passed && to !== undefined && digest !== undefined ? await takeIn(run, to, digest) : undefined;
      if (output === "json")
        context.terminal.print(
          JSON.stringify({ run, passed, digest, ...(board && { board }), checks }, null, 2),
        );
      else if (board !== undefined) context.terminal.say(`the run is in ${board}`);
      process.exitCode = (passed ? exitCodes.ok : exitCodes.diverged).code;
    });
}

function lineOf({ check, passed, details }: Check): string {
  const [first = "", ...more] = details;
  return [
    `${passed ? "passed" : "failed"}  ${check}: ${first}`,
    ...more.map((line) => `        ${line}`),
  ].join("\n");
}

interface BuildOptions extends CatalogueOptions {
  readonly out: string;
  readonly title: string;
  readonly output: "table" | "json";
}

function build(context: Context): Command {
  return new Command("build")
    .description("turn saved runs into a static page and a JSON file")
    .argument(
      "<runs...>",
      "folders of saved runs, or that hold some; signed ones must be as they were signed",
    )
    .requiredOption("--out <folder>", "folder for index.html, leaderboard.json and its JSON schema")
    .option("--title <text>", "heading of the page", "MicroRemed leaderboard")
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .action(async (folders: readonly string[], { out, title, output, ...options }: BuildOptions) => {
      const catalogue = await catalogueOf(context, options);
      const runs: EnteredRun[] = [];
      for (const folder of folders)
        for (const run of await foldersOfRuns(folder))
          runs.push(await readEntry(join(folder, run), catalogue));
      const leaderboard = buildLeaderboard(runs, title, (task) => catalogue.tasks.get(task).parts ?? [task]);
      await writeSite(out, leaderboard);
      if (output === "json") context.terminal.print(JSON.stringify(leaderboard, null, 2));
      else
        for (const { subject, entries } of leaderboard.boards)
          context.terminal.print(
            `${subject}\n\n${plainTable(shortTableOf(entries), context.terminal.width)}\n`,
          );
      context.terminal.say(`${counted(runs.length, "run")} in ${join(out, "index.html")}`);
    });
}
