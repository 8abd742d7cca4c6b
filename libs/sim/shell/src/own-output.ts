import type { ScriptNode } from "just-bash";

/** Where commands of a script write to instead of the shell's own stdout. */
export const ownOutput = "/dev/.stdout";

type Statement = ScriptNode["statements"][number];
type Command = Statement["pipelines"][number]["commands"][number];
type Redirection = Extract<Command, { type: "SimpleCommand" }>["redirections"][number];

const toOwnOutput: Redirection = {
  type: "Redirection",
  fd: null,
  operator: ">>",
  target: { type: "Word", parts: [{ type: "Literal", value: ownOutput }] },
};

/** They print nothing, or what is redirected at them is redirected for good. */
const silent = new Set([
  "exec",
  "exit",
  "return",
  "break",
  "continue",
  ":",
  "set",
  "shift",
  "export",
  "unset",
]);

/**
 * The statements with the output of every command sent to `ownOutput`: there it is the same bytes, and is seen when it is
 * printed. A shell's own stdout is a text that comes when the script has ended.
 */
export function withOwnOutput(statements: readonly Statement[]): Statement[] {
  return statements.map((statement) => {
    if (statement.background || statement.deferredError) return statement;
    const pipelines = statement.pipelines.map((pipeline) => {
      const last = pipeline.commands.at(-1);
      if (!last || pipeline.timed) return pipeline;
      return { ...pipeline, commands: [...pipeline.commands.slice(0, -1), sent(last)] };
    });
    const { sourceText: _, ...rest } = statement;
    return { ...rest, pipelines };
  });
}

function sent(command: Command): Command {
  if (!("redirections" in command)) return command;
  const away = command.redirections.findIndex(sendsOutput);
  // `2>&1 >file` leaves stderr where stdout was.
  const isSplit = command.type === "SimpleCommand" && command.redirections.slice(0, away).some(joinsOutput);
  if (away >= 0 && !isSplit) return command;
  switch (command.type) {
    case "SimpleCommand": {
      if (!command.name || silent.has(literalOf(command.name))) return command;
      // Before the others: of `2>&1` it decides where stderr goes.
      return { ...command, redirections: [toOwnOutput, ...command.redirections] };
    }
    case "If":
      return {
        ...command,
        clauses: command.clauses.map(({ condition, body }) => ({
          condition: withOwnOutput(condition),
          body: withOwnOutput(body),
        })),
        elseBody: command.elseBody && withOwnOutput(command.elseBody),
      };
    case "While":
    case "Until":
      return { ...command, condition: withOwnOutput(command.condition), body: withOwnOutput(command.body) };
    case "For":
    case "CStyleFor":
    case "Subshell":
    case "Group":
      return { ...command, body: withOwnOutput(command.body) };
    case "Case":
      return {
        ...command,
        items: command.items.map((item) => ({ ...item, body: withOwnOutput(item.body) })),
      };
    default:
      return command;
  }
}

const sendsOutput = ({ fd, fdVariable, operator }: Redirection): boolean =>
  fdVariable === undefined && operator.includes(">") && (fd ?? 1) === 1;

const joinsOutput = ({ fd, operator, target }: Redirection): boolean =>
  fd === 2 && operator === ">&" && target.type === "Word" && literalOf(target) === "1";

const literalOf = ({ parts }: { readonly parts: readonly { readonly type: string }[] }): string =>
  parts.map((part) => ("value" in part && typeof part.value === "string" ? part.value : "?")).join("");
