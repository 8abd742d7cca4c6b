import type { CustomCommand, defineCommand as DefineCommand } from "just-bash";

/**
 * `env [-i] [-u NAME] [NAME=VALUE] [PROGRAM ARGS]` in a shell: it prints what is exported, and not the shell's own
 * variables, or runs a program with it. `signal`: that of the script, or of a `timeout` in it.
 */
export const envCommand = (defineCommand: typeof DefineCommand, signal: () => AbortSignal): CustomCommand =>
  defineCommand("env", async (args, context) => {
    const exported = new Map(Object.entries(context.exportedEnv ?? {}));
    let at = 0;
    for (; at < args.length; at += 1) {
      const [word = "", next = ""] = args.slice(at);
      const [name = "", value] = word.split(/=(.*)/s);
      if (word === "-i" || word === "-") exported.clear();
      else if (word === "-u") {
        exported.delete(next);
        at += 1;
      } else if (value !== undefined) exported.set(name, value);
      else break;
    }
    const [program, ...rest] = args.slice(at);
    if (program === undefined)
      return {
        stdout: [...exported].map(([name, value]) => `${name}=${value}\n`).join(""),
        stderr: "",
        exitCode: 0,
      };
    if (!context.exec)
      return { stdout: "", stderr: `env: ${program}: No such file or directory\n`, exitCode: 127 };
    return await context.exec(program, {
      ...{ cwd: context.cwd, args: rest, signal: signal() },
      ...{ env: Object.fromEntries(exported), replaceEnv: true },
    });
  });
