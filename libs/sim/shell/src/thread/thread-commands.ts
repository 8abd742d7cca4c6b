import type { CommandContext, CustomCommand, defineCommand as DefineCommand } from "just-bash";
import { envCommand } from "../commands/env-command.ts";
import { backgroundCommand } from "../container/background-command.ts";
import type { OwnResult, ScriptOrder, ScriptQuestion } from "../script-messages.types.ts";

type Ask = (question: ScriptQuestion) => Promise<unknown>;

/** The programs of a container's image that are not the shell's: those that the cluster runs, and those that start others. */
export function threadCommands(
  { own, starters, flavour }: ScriptOrder,
  ask: Ask,
  defineCommand: typeof DefineCommand,
  signal: AbortSignal,
): CustomCommand[] {
  let timers = 0;
  /** The `timeout` under which programs are started now. */
  let timer: number | undefined;

  const adapt = (command: string): CustomCommand =>
    defineCommand(command, async (args, { cwd, stdin, ...context }) => {
      const env = variablesOf(context);
      const question = { command, args: [...args], env, cwd, stdin: String(stdin), timer };
      const result = (await ask(question)) as OwnResult;
      return { ...result, stdoutKind: "bytes", stdoutEncoding: "binary" };
    });

  const timeout = defineCommand("timeout", async (args, { cwd, exec }) => {
    const rest =
      args[0] === "-s" || args[0] === "-k" || args[0] === "-t" ? args.slice(args[0] === "-t" ? 1 : 2) : args;
    const [seconds = "0", program, ...programArgs] = rest.filter((arg, at) => at > 0 || !arg.startsWith("-"));
    if (!program || !exec) return { stdout: "", stderr: "timeout: missing operand\n", exitCode: 125 };
    const outer = timer;
    const mine = ++timers;
    let isOver = false;
    const fires = ask({ timer: mine, ms: Number.parseFloat(seconds) * 1000, within: outer }).then(
      (fired) => {
        isOver = fired === true;
      },
      () => {},
    );
    timer = mine;
    try {
      const result = await exec(program, { cwd, args: programArgs, signal });
      return isOver ? { ...result, exitCode: flavour === "busybox" ? 143 : 124 } : result;
    } finally {
      timer = outer;
      await ask({ timerOver: mine });
      await fires;
    }
  });

  const leave = defineCommand(
    backgroundCommand,
    async ([script = ""], { cwd, env }) =>
      (await ask({ leave: script, cwd, env: Object.fromEntries(env) })) as OwnResult,
  );

  // A process of its own session ignores what would end it with its terminal: none has one here.
  const prefix = (name: string): CustomCommand =>
    defineCommand(name, async ([program, ...args], { cwd, exec }) => {
      if (program === undefined || !exec)
        return { stdout: "", stderr: `${name}: missing operand\n`, exitCode: 125 };
      return await exec(program, { cwd, args, signal });
    });

  const started: Readonly<Record<string, () => CustomCommand>> = {
    timeout: () => timeout,
    nohup: () => prefix("nohup"),
    setsid: () => prefix("setsid"),
    env: () => envCommand(defineCommand, () => signal),
  };
  return [...own.map(adapt), ...starters.flatMap((name) => started[name]?.() ?? []), leave];
}

const variablesOf = ({
  exportedEnv,
  env,
}: Pick<CommandContext, "env" | "exportedEnv">): Readonly<Record<string, string>> =>
  exportedEnv ?? Object.fromEntries(env);
