import { printable } from "./printable.ts";

type JustBash = typeof import("just-bash");

let loading: Promise<JustBash> | undefined;

/** The whole shell. It is large, so it is loaded when it is first needed; asking again costs nothing. */
export const justBash = (): Promise<JustBash> => (loading ??= load());

async function load(): Promise<JustBash> {
  const shell = await import("just-bash");
  return { ...shell, serialize: (script) => shell.serialize(printable(script)) };
}
