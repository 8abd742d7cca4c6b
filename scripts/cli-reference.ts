import { type Context, createTerminal, exitCodes, program, verbs } from "@microremed/cli";
import { silentLogger } from "@microremed/core";
import { plainToMarkdown } from "./plain-to-markdown.ts";
import { table } from "./table.ts";

type Command = Awaited<ReturnType<typeof program>>;
type Argument = Command["registeredArguments"][number];
type Option = Command["options"][number];

/** What the command line reads from its environment. */
const variables: readonly (readonly [string, string])[] = [
  [
    "`NATS_URL`",
    "the running range; without it the range of `microremed up` in this directory (`.microremed/stack.json`)",
  ],
  ["`NATS_USER`, `NATS_PASSWORD`", "user at NATS; `client` may do all that needs no `admin`"],
  [
    "`NATS_CA_FILE`, `NATS_CERT_FILE`, `NATS_KEY_FILE`",
    "TLS, as for [every service](configuration.md#every-service)",
  ],
  ["`REDIS_URL`", "Redis with user and password, for `recover` only"],
  ["`CATALOGUE_DIRS`", "default of `--catalogue`"],
  [
    "`MICROREMED_MODELS_FILE`, `OPENAI_BASE_URL`, `OPENAI_API_KEY`",
    "models of a local range, as for the [remediator](configuration.md#remediator)",
  ],
  ["`POLICIES_DIR`", "your own playbook policies, for a local range and `policies`"],
  [
    "`SANDBOX`",
    "`none`: a local range runs playbooks without a sandbox; [other values](configuration.md#executor)",
  ],
  ["`OTEL_*`", "[traces](configuration.md#traces) of a local range's services"],
  ["`NO_COLOR`", "no colours"],
  [
    "`COLUMNS`",
    "characters in a line of tables; default: the terminal's width, 80 in a pipe or a file. Long cells are broken into lines, and wider tables are printed in parts; programs read `--output json`",
  ],
];

/** The whole command line with every verb loaded, reading nothing from this process's environment. */
export async function wholeCommandLine(): Promise<Command> {
  const context: Context = {
    terminal: createTerminal(process.stdout, process.stderr, {}),
    log: silentLogger,
    env: {},
    signal: new AbortController().signal,
  };
  return program(
    context,
    verbs.map(({ name }) => name),
  );
}

/** Every command with its arguments, options and notes: docs/reference/cli.md. */
export async function cliReference(): Promise<string> {
  const root = await wholeCommandLine();
  const commands = root.commands.map((command) => [
    `[${command.name()}](#microremed-${command.name()})`,
    plainToMarkdown(command.description()),
  ]);
  const codes = Object.values(exitCodes).map(({ code, doc }) => [String(code), doc]);
  return `${[
    "# Command line",
    "Made from the commands by `npm run docs:generate`; do not edit. `microremed <command> --help` prints the same.",
    table(["command", "what it does"], commands),
    "## Exit codes",
    table(["code", "meaning"], codes),
    "An error message ends in its [error code](errors.md), in brackets.",
    "## Environment variables",
    table(["variable", "meaning"], variables),
    ...root.commands.flatMap((command) => section(command, `microremed ${command.name()}`, 2)),
  ].join("\n\n")}\n`;
}

function section(command: Command, name: string, level: number): string[] {
  const usage = [name, ...command.registeredArguments.map(asWritten), "[options]"];
  const { visibleArguments, visibleOptions } = {
    visibleArguments: command.registeredArguments,
    visibleOptions: command.options.filter(({ hidden }) => !hidden),
  };
  const own = command.commands.filter((one) => one.name() !== "help");
  return [
    `${"#".repeat(level)} ${name}`,
    `${plainToMarkdown(command.description())}.`.replace(/^./, (first) => first.toUpperCase()),
    `\`${usage.join(" ")}\``,
    ...(visibleArguments.length > 0
      ? [table(["argument", "meaning"], visibleArguments.map(argumentRow))]
      : []),
    ...(visibleOptions.length > 0
      ? [table(["option", "default", "meaning"], visibleOptions.map(optionRow))]
      : []),
    ...notesOf(command),
    ...own.flatMap((one) => section(one, `${name} ${one.name()}`, level + 1)),
  ];
}

function asWritten(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function argumentRow(argument: Argument): string[] {
  return [`\`${asWritten(argument)}\``, withChoices(argument.description, argument.argChoices)];
}

function optionRow(option: Option): string[] {
  return [`\`${option.flags}\``, defaultOf(option), withChoices(option.description, option.argChoices)];
}

function withChoices(plain: string, choices: readonly string[] | undefined): string {
  const text = plainToMarkdown(plain);
  return choices ? `${text}; one of ${choices.map((choice) => `\`${choice}\``).join(", ")}` : text;
}

function defaultOf({ defaultValue, defaultValueDescription, mandatory }: Option): string {
  if (mandatory) return "required";
  if (defaultValueDescription !== undefined) return `\`${defaultValueDescription}\``;
  const isEmpty = defaultValue === undefined || ["[]", "{}"].includes(JSON.stringify(defaultValue));
  if (isEmpty) return "";
  return `\`${Array.isArray(defaultValue) ? defaultValue.join(", ") : String(defaultValue)}\``;
}

/** What a command prints below its options: examples become a block of their own. */
function notesOf(command: Command): string[] {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (text) => parts.push(text) });
  command.outputHelp();
  const after = parts.join("").split(command.helpInformation())[1]?.trim() ?? "";
  if (after === "") return [];
  const [prose = "", examples] = after.split(/(?:^|\n)Examples?:\n/);
  const text = prose.trim();
  return [
    ...(text === "" ? [] : [plainToMarkdown(text)]),
    ...(examples === undefined
      ? []
      : [`\`\`\`text\n${examples.replaceAll(/^ {2}/gm, "").trimEnd()}\n\`\`\``]),
  ];
}
