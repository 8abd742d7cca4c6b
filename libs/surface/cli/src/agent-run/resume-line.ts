import { shellWord } from "@microremed/core";

/** What of the options of an `agent run` its programs depend on. */
export interface LineOptions {
  readonly mount: readonly string[];
  readonly variable: readonly string[];
  readonly callModel?: string;
  readonly sandbox: string;
  readonly seconds: number;
  readonly memory: number;
  readonly logs?: string;
}

/**
 * The command that continues an interrupted `agent run` with the same programs. Values of variables may be secret: they are left
 * out, for who types it to put in.
 */
export function resumeLine(directory: string, options: LineOptions, argv: readonly string[]): string {
  const { mount, variable, callModel, sandbox, seconds, memory, logs } = options;
  const pairs: readonly (readonly [string, string])[] = [
    ["--resume", directory],
    ...mount.map((path) => ["--mount", path] as const),
    ...variable.map((one) => ["--variable", one.replace(/=.*$/s, "=...")] as const),
    ...(callModel === undefined ? [] : [["--call-model", callModel] as const]),
    ...(sandbox === "none" ? [["--sandbox", sandbox] as const] : []),
    ["--seconds", String(seconds)],
    ["--memory", String(memory)],
    ...(logs === undefined ? [] : [["--logs", logs] as const]),
  ];
  return ["microremed", "agent", "run", ...pairs.flat(), "--", ...argv].map(asTyped).join(" ");
}

const asTyped = (word: string): string => (/^[\w./:@=,+-]+$/.test(word) ? word : shellWord(word));
