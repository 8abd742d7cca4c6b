import type { Command } from "commander";

/**
 * Makes a command, with its own verbs, refuse an option with one value that is given twice: of two values the first would be dropped
 * without a word. Options that collect values may be repeated.
 */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (!option.required && !option.optional) continue;
    let first: string | undefined;
    let collected = 0;
    command.on(`option:${option.name()}`, (value: string | null) => {
      const now: unknown = command.getOptionValue(option.attributeName());
      const size = Array.isArray(now) ? now.length : 0;
      const isCollected = size > collected;
      collected = size;
      // `--gateway --gateway 8080`: the first leaves the value to the second.
      if (first === undefined) first = value === null ? undefined : String(value);
      else if (!isCollected)
        command.error(
          `error: option '${option.flags}' is given twice, with ${first} and ${value}; expected it once`,
          { code: "commander.optionGivenTwice", exitCode: 1 },
        );
    });
  }
  for (const own of command.commands) refuseRepeats(own);
}
