import { mkdir, realpath, stat } from "node:fs/promises";
import { counted, terminal as refuse } from "@microremed/core";
import { createModels, type ModelEndpoint, parseModelsFile } from "@microremed/llm";
import { openSandbox, runProgram, type Sandbox } from "@microremed/sandbox";
import { Command, Option } from "commander";
import { createPlayers, type Players, type Reached } from "../agent-run/create-players.ts";
import { hiddenFolders } from "../agent-run/hidden-folders.ts";
import { type JobOptions, newJob, savedJob } from "../agent-run/job.ts";
import type { ProgramOptions } from "../agent-run/play-session.ts";
import { type LineOptions, resumeLine } from "../agent-run/resume-line.ts";
import { catalogueOf, catalogueOption } from "../catalogue.ts";
import { checkNames } from "../check-names.ts";
import { rangeOption, timeScaleOption } from "../choose-range.ts";
import { connectClient } from "../client.ts";
import { findConnection } from "../connection.ts";
import type { Context } from "../context.ts";
import { checkGateway } from "../gateway/check-gateway.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import { makeToken, usualLimits } from "../gateway/make-token.ts";
import { startLocalRange } from "../local-range.ts";
import { type ReportFormat, renderReport, runOutputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import { readTextFile } from "../read-request.ts";
import { requestOptionNames, suiteOnOf, withProblemOptions } from "../request-options.ts";
import { exitCodeOf } from "../run-experiment.ts";

interface Options extends JobOptions, LineOptions {
  readonly sandbox: "bubblewrap" | "none";
  readonly resume?: string;
  readonly timeScale: number;
  readonly output: ReportFormat;
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/** `microremed agent run -- <command>`: starts a program for each problem. */
export function agentRunCommand(context: Context): Command {
  return withProblemOptions(new Command("run"))
    .description("start a program for each problem, in a sandbox, and report on what it did")
    .argument("<command...>", "the program and its arguments, after --")
    .option("--name <name[@version]>", "its name in reports; default: that of the program")
    .option(
      "--mount <path>",
      "file or folder of this machine that it can read, at its own path; may be repeated. Besides, it sees only the system's /usr",
      collect,
      [],
    )
    .option(
      "--variable <name[=value]>",
      "environment variable that it has, by default with the value that this command has; may be repeated",
      collect,
      [],
    )
    .option(
      "--call-model <name>",
      "the only model that it may call (see `microremed models`): through a proxy that adds the key and counts calls and tokens; default: none",
    )
    .option("--seconds <n>", "most time for one turn of a problem", wholeNumber(1, 86_400), 1800)
    .option("--memory <MiB>", "most memory of all its processes and files", wholeNumber(64, 65_536), 2048)
    .addOption(
      new Option(
        "--sandbox <kind>",
        "bubblewrap, or none: then it reads what you can read, and reaches what you can reach",
      )
        .choices(["bubblewrap", "none"])
        .default("bubblewrap"),
    )
    .option(
      "--logs <dir>",
      "directory to which what it prints is written, a file for each turn: <number>_<task>_<problem>_attempt-<n>.log",
    )
    .option(
      "--save-path <dir>",
      "directory to which each episode is written, as a JSON file, as soon as it ends",
    )
    .addOption(
      new Option(
        "--resume <dir>",
        "continue the `agent run` saved there: start the program for the problems that are missing or ended as harness errors, and report on all",
      ).conflicts([...requestOptionNames, "savePath", "name"]),
    )
    .option("--manifest-path <folder>", "folder of an environment to use instead of the registered one")
    .option("--arenas <n>", "number of problems at once", wholeNumber(1, 64), 4)
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(runOutputOption())
    .addHelpText(
      "after",
      `
The program gets the problem on its standard input and in the file problem.md of its home. It has \`kubectl\`, the MCP server
$MICROREMED_MCP_URL and the HTTP API $MICROREMED_URL. Where the problem asks for an answer it writes that as JSON to
$MICROREMED_ANSWER_FILE, or prints it as its last line.

Examples:
  microremed agent run --suite microremed@1 --mount "$PWD" -- python3 "$PWD/agent.py"
  microremed agent run --resume runs/a --mount "$PWD" -- python3 "$PWD/agent.py"
  microremed agent run --problem microremed@1/simple-micro-easy-01 -- bash -c 'kubectl delete stresschaos --all'`,
    )
    .action(async (argv: string[], options: Options, command: Command) => {
      process.exitCode = await run(context, argv, { ...options, ...suiteOnOf(options, command) });
    });
}

async function run(context: Context, argv: readonly string[], options: Options): Promise<number> {
  const { terminal, log } = context;
  const sandbox = await openSandbox({
    ...{ name: options.sandbox, searchPath: context.env["PATH"] ?? "", log },
    askedBy: "--sandbox none",
  });
  const model = options.callModel === undefined ? undefined : await modelNamed(context, options.callModel);
  const programs = {
    ...{ argv, sandbox, model, seconds: options.seconds, memoryBytes: options.memory * 2 ** 20 },
    mounts: await Promise.all(options.mount.map(mountable)),
    hidden: [],
    env: variablesFrom(options.variable, context.env),
    logs: options.logs,
    say: terminal.say,
  };
  await assertStarts(programs, argv);
  const catalogue = await catalogueOf(context, options);
  const job =
    options.resume === undefined
      ? await newJob(options, argv, catalogue)
      : await savedJob(options, options.resume, catalogue);
  await using resources = new AsyncDisposableStack();
  let players: Players | undefined;
  const begin = async (): Promise<Players> => {
    const reached =
      (await runningRange(context, options, resources)) ??
      (await ownRange(
        context,
        { ...options, ...job.range },
        async () => checkNames(job.request, catalogue, options, context.env),
        resources,
      ));
    // It must be there to be hidden: it has what the program printed on other problems.
    if (options.logs !== undefined) await mkdir(options.logs, { recursive: true });
    const hidden = await hiddenFolders(programs.mounts, [job.directory, options.logs]);
    players = createPlayers({
      ...{ ...reached, agent: job.agent, workers: options.arenas, signal: context.signal },
      programs: { ...programs, hidden },
      onBegun: (id) =>
        terminal.say(`experiment ${id}: ${job.agent}, a program, in ${sandboxInWords(sandbox)}`),
    });
    return players;
  };
  const result = await job.follow(context, begin);
  const trouble = await players?.end();
  if (job.directory !== undefined) {
    terminal.say(
      `${counted(result.report.episodes.length - result.lost, "episode")} saved in ${job.directory}`,
    );
    if (result.interrupted || trouble !== undefined)
      terminal.say(`the others: ${resumeLine(job.directory, options, argv)}`);
  }
  terminal.print(renderReport(result.report, options.output, terminal.width));
  if (trouble !== undefined) throw trouble;
  return exitCodeOf(result);
}

const sandboxInWords = ({ kind }: Sandbox): string =>
  kind === "none" ? "no sandbox, as --sandbox none asks for" : `a sandbox (${kind})`;

/** As remediators find it: in the models file, else at OPENAI_BASE_URL. */
async function modelNamed({ env }: Context, name: string): Promise<ModelEndpoint> {
  const path = env["MICROREMED_MODELS_FILE"];
  const file = path ? parseModelsFile(await readTextFile(path, "the models file"), path) : undefined;
  const { OPENAI_BASE_URL: url, OPENAI_API_KEY: apiKey = null } = env;
  const baseUrl = url ?? (apiKey === null ? undefined : openAi);
  const fallback = baseUrl === undefined ? undefined : { baseUrl, apiKey };
  return createModels({ env, ...(file && { file }), ...(fallback && { fallback }) }).resolve(name);
}

/** Folders of which everything else hangs: no program is to have them by a slip. */
const tooMuch = new Set(["/", "/proc", "/sys", "/dev", "/etc", "/root", "/home", "/var", "/tmp", "/run"]);
/** Nothing of these is a program's: they show the machine itself. */
const machine = ["/proc/", "/sys/", "/dev/"];

async function mountable(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !(await stat(real).catch(() => undefined)))
    throw refuse("invalid-request", `--mount ${path}: there is no such file or folder`);
  if (machine.some((folder) => real.startsWith(folder)))
    throw refuse("invalid-request", `--mount ${path}: ${real} shows this machine, and is not mounted`);
  if (tooMuch.has(real)) throw refuse("invalid-request", `--mount ${path}: name a folder below ${real}`);
  return real;
}

function variablesFrom(words: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = "", , value] = /^([A-Za-z_][A-Za-z0-9_]*)(=([\s\S]*))?$/.exec(word) ?? [];
      if (name === "")
        throw refuse(
          "invalid-request",
          `--variable ${JSON.stringify(word.slice(0, 100))}: write NAME or NAME=value`,
        );
      const found = value ?? env[name];
      if (found === undefined)
        throw refuse("invalid-request", `--variable ${name}: it is not set; write ${name}=value`);
      return [name, found];
    }),
  );
}

const openAi = "https://api.openai.com/v1";
const trialMs = 30_000;

/** A program that is not there would fail on every problem. */
async function assertStarts(
  { sandbox, mounts, memoryBytes, env }: ProgramOptions,
  [program = ""]: readonly string[],
): Promise<void> {
  const end = await runProgram({
    argv: ["/bin/bash", "-c", 'command -v -- "$1"', "bash", program],
    ...{ sandbox, mounts, memoryBytes, timeoutMs: trialMs, door: (connection) => void connection.destroy() },
    surroundings: () => ({ files: {}, programs: [], env }),
  });
  if (end.exitCode === 0) return;
  const said = end.output.trim();
  throw refuse(
    "invalid-request",
    `${program} cannot be started in the sandbox${said === "" ? "" : ` (${said.slice(0, 500)})`}: it sees /usr and what --mount names. Is it there? Where this command runs as root, the program does not: a folder, and those above it, must be open to others`,
  );
}

/** The range that runs here; undefined: there is none, or one of this command's own is asked for. */
async function runningRange(
  context: Context,
  { range }: Options,
  resources: AsyncDisposableStack,
): Promise<Reached | undefined> {
  if (range !== undefined) return undefined;
  const { MICROREMED_URL: url, MICROREMED_TOKEN: token } = context.env;
  const running = findConnection(context.env);
  // Who names a gateway means no range of this command's own, whatever is missing.
  const access = running || url || token ? await findGateway(context, "agent") : undefined;
  if (!running && url)
    throw refuse(
      "invalid-config",
      "MICROREMED_URL is set, and no bus of that range is known, to which experiments are submitted: set NATS_URL (and NATS_USER, NATS_PASSWORD), or unset MICROREMED_URL or pass --range for a range of this command's own",
    );
  if (!running) return undefined;
  if (!access)
    throw refuse(
      "invalid-request",
      "the running range has no gateway that this command knows: start it with `microremed up --gateway`, set MICROREMED_URL and MICROREMED_TOKEN, or pass --range for a range of this command's own",
    );
  await checkGateway(access, context.signal);
  return { client: resources.use(await connectClient(running, context.log)), access };
}

/** A local range with a gateway, which ends with the command. */
async function ownRange(
  context: Context,
  { arenas, timeScale, seed, manifestPath, catalogue, range }: Options,
  check: () => Promise<void>,
  resources: AsyncDisposableStack,
): Promise<Reached> {
  await check();
  const local = resources.use(
    await startLocalRange(context, {
      ...{ arenas, timeScale, seed, gatewayPort: 0 },
      ...(manifestPath !== undefined && { manifestPath }),
      ...(catalogue && { catalogue }),
      ...(range && { range }),
    }),
  );
  const { gateway, client } = local;
  if (!gateway) throw refuse("internal", "the range has no gateway");
  const limits = { ...usualLimits, requestsPerMinute: 60_000 };
  const { record, text } = makeToken({ scope: "agent", name: "*", ...limits }, Date.now());
  await gateway.tokens.put(record);
  return { client, access: { url: gateway.url, token: text } };
}
