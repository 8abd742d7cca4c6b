import type { Step } from "../case.types.ts";
import { splitCommand } from "../split-command.ts";
import { demand, type Expected } from "./expect.ts";

interface Asked {
  /** A path of the local port, or several, and what comes back; `none`: the connection is cut. */
  readonly [path: string]: { readonly status: number; readonly text?: Expected } | "none";
}

/** A kubectl command that goes on, and what it prints in time. */
export const prints = (line: string, pattern: RegExp): Step => ({
  async run(context) {
    await using serving = context.serving(splitCommand(context.fill(line)));
    await serving.printed(pattern);
  },
});

/** A kubectl command that goes on: prints a local port (the pattern's first group), and answers there over HTTP. */
export const serves = (line: string, pattern: RegExp, asked: Asked): Step => ({
  async run(context) {
    await using serving = context.serving(splitCommand(context.fill(line)));
    const [, port] = await serving.printed(pattern);
    for (const [path, wanted] of Object.entries(asked)) {
      const url = `http://127.0.0.1:${port}${context.fill(path)}`;
      const answer = await fetch(url, { signal: context.signal }).catch((error: unknown) => {
        if (context.signal.aborted) throw error;
        return "none" as const;
      });
      const got = answer === "none" ? answer : answer.status;
      const want = wanted === "none" ? wanted : wanted.status;
      const text = answer === "none" ? "" : await answer.text();
      if (got !== want) throw new Error(`${url}: answered ${got}, expected ${want}: ${text}`);
      if (wanted !== "none" && wanted.text !== undefined) demand(url, text, wanted.text, context.fill);
    }
  },
});
