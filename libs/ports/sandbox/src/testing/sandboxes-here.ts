import { silentLogger } from "@microremed/core";
import { openSandbox, sandboxTrouble } from "../open-sandbox.ts";
import type { Sandbox } from "../sandbox.types.ts";

/** What tests run untrusted code in: none at all, and the most confined that this machine permits. */
export async function sandboxesHere(): Promise<{ readonly none: Sandbox; readonly best: Sandbox }> {
  const searchPath = process.env["PATH"] ?? "";
  const none = await openSandbox({ name: "none", searchPath, log: silentLogger });
  if ((await sandboxTrouble(searchPath)) !== undefined) return { none, best: none };
  return { none, best: await openSandbox({ name: "bubblewrap", searchPath, log: silentLogger }) };
}
