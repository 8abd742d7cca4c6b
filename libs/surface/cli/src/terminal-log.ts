import type { Logger } from "@microremed/core";
import type { Terminal } from "./terminal.ts";

/** Says what a local range warns of, a part that died for example, as a line for the person at the terminal. */
export function terminalLog(terminal: Pick<Terminal, "say" | "paint">, log: Logger): Logger {
  const sayAlso =
    (level: "warn" | "error") =>
    (fields: object, message: string): void => {
      log[level](fields, message);
      const details = Object.entries(fields).map(([name, value]) => `${name}: ${inWords(value)}`);
      const line = details.length > 0 ? `${message} (${details.join(", ")})` : message;
      terminal.say(terminal.paint(level === "warn" ? "yellow" : "red", line));
    };
  return { debug: log.debug, info: log.info, warn: sayAlso("warn"), error: sayAlso("error") };
}

function inWords(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
