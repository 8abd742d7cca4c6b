import { counted, terminal as refuse } from "@microremed/core";
import {
  type AgreementReport,
  agreementReport,
  type Decider,
  decide,
  deciders,
  makePairs,
  pairsCard,
  preferenceFormats,
  type RaterAgreement,
  Rating,
} from "@microremed/preferences";
import { decimal, percent, plainTable } from "@microremed/scoring";
import { toolSpecs } from "@microremed/solving";
import { Command, InvalidArgumentError, Option } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { readEpisodes } from "../episode-source.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import { addRating, readFolder, writePairs } from "../preferences/folder.ts";
import { rate } from "../preferences/rate.ts";
import { assertFree, writeNew } from "../write-new.ts";

/** `microremed preferences pair|rate|agreement|export`: which of two repairs people prefer. */
export function preferencesCommand(context: Context): Command {
  const group = new Command("preferences").addHelpText(
    "after",
    `
Example, from runs to a file for DPO:
  microremed run --env simple-micro --experiments 8 --model reference/runbook --model reference/restart \\
    --method SoloGen --max-attempts 1 --save-path runs/two
  microremed preferences pair runs/two --out pairs
  microremed preferences rate pairs --rater ada
  microremed preferences export pairs --format dpo --by people --out dpo.jsonl`,
  );
  for (const verb of [pair(context), rateCommand(context), agreement(context), exportCommand(context)])
    group.addCommand(verb);
  return group;
}

interface PairOptions extends CatalogueOptions {
  readonly out: string;
  readonly mostPerCase: number;
  readonly seed: number;
}

function pair(context: Context): Command {
  return new Command("pair")
    .description("pair playbooks of saved episodes that were written for the same case, if one repaired it")
    .argument("<source...>", "folders or files that were written with --save-path")
    .requiredOption("--out <dir>", "folder for the pairs, which holds none yet")
    .option("--most-per-case <n>", "pairs of one case at most", wholeNumber(1, 1_000), 4)
    .option("--seed <n>", "draws pairs, their order and their sides", wholeNumber(0, 2 ** 31 - 1), 1)
    .addOption(catalogueOption(context))
    .action(async (sources: string[], options: PairOptions) => {
      const { tools } = await catalogueOf(context, options);
      const episodes = (await Promise.all(sources.map((one) => readEpisodes(context, one)))).flat();
      const { seed, mostPerCase } = options;
      const paired = makePairs(episodes, { seed, mostPerCase, tools: toolSpecs(tools) });
      const left = Object.entries(paired.leftOut).map(([why, times]) => `${times} ${why}`);
      const leftText = left.length > 0 ? `; left out: ${left.join(", ")}` : "";
      if (paired.pairs.length === 0)
        throw refuse("invalid-request", `no two of these episodes make a pair${leftText}`);
      await writePairs(options.out, paired.pairs, pairsCard(paired, episodes.length, options));
      context.terminal.say(`${counted(paired.pairs.length, "pair")} in ${options.out}${leftText}`);
    });
}

/** For commander. */
function raterName(text: string): string {
  const name = Rating.shape.rater.safeParse(text);
  if (!name.success) throw new InvalidArgumentError(name.error.issues[0]?.message ?? "no name");
  return name.data;
}

function rateCommand(context: Context): Command {
  return new Command("rate")
    .description("show pairs at the terminal and keep which side you find better, one after the other")
    .argument("<dir>", "folder of `preferences pair`")
    .requiredOption("--rater <name>", "who rates; it is stored with each rating", raterName)
    .option("--again", "show pairs that you have rated, too; the later rating counts")
    .action(
      async (directory: string, { rater, again }: { readonly rater: string; readonly again?: true }) => {
        const { pairs, ratings } = await readFolder(directory);
        const done = new Set(ratings.flatMap((one) => (one.rater === rater ? [one.pair] : [])));
        const open = pairs.filter(({ id }) => again || !done.has(id));
        const rated = await rate(open, {
          ...{ terminal: context.terminal, signal: context.signal },
          ...{ input: process.stdin, output: process.stderr, isTerminal: process.stdin.isTTY === true },
          interrupt: () => process.kill(process.pid, "SIGINT"),
          keep: (said) => addRating(directory, { ...said, rater, at: new Date().toISOString() }),
        });
        context.terminal.say(`${counted(open.length - rated, "pair")} of ${pairs.length} left for ${rater}`);
      },
    );
}

function agreement(context: Context): Command {
  return new Command("agreement")
    .description("measure how often raters agree, with one another and with the order by outcome")
    .argument("<dir>", "folder of `preferences pair`")
    .addOption(outputOption())
    .action(async (directory: string, { output }: { readonly output: string }) => {
      const { pairs, ratings } = await readFolder(directory);
      const report = agreementReport(pairs, ratings);
      const { terminal } = context;
      terminal.print(
        output === "json" ? JSON.stringify(report, null, 2) : reportText(report, terminal.width),
      );
    });
}

function reportText(report: AgreementReport, width: number): string {
  const { pairs, rated, raters, between, alpha, automatic, automaticDecided } = report;
  const people = [
    ["rater", "rated", "ties"],
    ...raters.map((one) => [one.rater, `${one.rated}`, `${one.ties}`]),
  ];
  const table = (of: readonly RaterAgreement[]) =>
    plainTable([["between", "pairs", "agree", "95 %", "kappa"], ...of.map(agreementRow)], width);
  return [
    `${rated} of ${counted(pairs, "pair")} rated`,
    ...(raters.length > 0 ? [plainTable(people, width)] : []),
    ...(between.length > 0
      ? [table(between), `Krippendorff's alpha of all raters: ${decimal(alpha, 2)}`]
      : []),
    ...(automatic.length > 0
      ? [
          "Beside the order by outcome:",
          table(automatic),
          "Without ties on either side:",
          table(automaticDecided),
        ]
      : []),
  ].join("\n\n");
}

function agreementRow({ raters, of, agreement: share, interval, kappa }: RaterAgreement): string[] {
  const bounds = interval ? `${Math.round(interval.low * 100)} to ${Math.round(interval.high * 100)} %` : "-";
  return [raters.join(", "), String(of), percent(share), bounds, decimal(kappa, 2)];
}

interface ExportOptions {
  readonly format: string;
  readonly by: Decider;
  readonly out: string;
}

function exportCommand(context: Context): Command {
  const formats = preferenceFormats.map(({ name }) => name);
  return new Command("export")
    .description("write preferred and rejected repairs for a trainer; ties are left out")
    .argument("<dir>", "folder of `preferences pair`")
    .addOption(
      new Option(
        "--format <name>",
        preferenceFormats.map(({ name, description }) => `${name}: ${description}`).join("; "),
      )
        .choices(formats)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--by <name>", "people: what most raters of a pair say; automatic: the order by outcome")
        .choices(deciders)
        .default("people"),
    )
    .requiredOption("--out <file>", "output file, JSON lines, which must not exist yet")
    .action(async (directory: string, { format: name, by, out }: ExportOptions) => {
      await assertFree(out);
      const { pairs, ratings } = await readFolder(directory);
      const decided = decide(pairs, ratings, by);
      const rows = preferenceFormats.find((one) => one.name === name)?.rows(decided) ?? [];
      if (rows.length === 0)
        throw refuse(
          "invalid-request",
          by === "people"
            ? `no pair of ${directory} has a side that most raters prefer; rate some with \`microremed preferences rate\`, or use --by automatic`
            : `the order by outcome prefers no side in any pair of ${directory}`,
        );
      await writeNew(out, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      context.terminal.say(
        `${counted(rows.length, "line")} in ${out}, from ${decided.length} of ${counted(pairs.length, "pair")}`,
      );
    });
}
