import { type ChatMessage, handedInBounds } from "@microremed/contracts";
import { beyondBounds, clipMiddle, isJsonObject } from "@microremed/core";
import { z } from "zod";
import { AgentMistake } from "./agent-mistake.ts";

/** Most characters of a reason that an agent gives, and of what its code threw. */
const maxReason = 500;

/** A value of an agent's code as JSON, or why it has none, in words that go on after its name. */
export type AsJson = { readonly text: string } | { readonly problem: string };

/** Arguments that an agent's code gives: an object of JSON within the bounds. Reading them may run code of the agent's. */
export function argumentsText(given: unknown): AsJson {
  try {
    const problem = beyondBounds(given, handedInBounds);
    if (problem !== undefined) return { problem };
    const text = JSON.stringify(given);
    if (text === undefined || !isJsonObject(JSON.parse(text))) return { problem: "is no object of JSON" };
    return { text };
  } catch (thrown) {
    return { problem: `is no JSON: ${wordsOf(thrown)}` };
  }
}

const Opening = z
  .array(z.object({ role: z.enum(["system", "user"]), content: z.string() }))
  .min(1)
  .refine((all) => all.at(-1)?.role === "user", "the last message must be of the role user");

/** The messages with which a turn begins. Throws AgentMistake: they are words of the system's and the user's and nothing else. */
export function openingOf(given: unknown): ChatMessage[] {
  const read = argumentsText({ opening: given });
  if ("problem" in read) throw new AgentMistake(`the opening of a turn ${read.problem}`);
  const parsed = Opening.safeParse(JSON.parse(read.text).opening);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  throw new AgentMistake(
    `the opening of a turn must be a list of { role: "system" or "user", content }, and end with a user's: ${where}${issue?.message}`,
  );
}

/** Words for a report; what is no text is said to be none. */
export function reasonOf(given: unknown): string {
  if (typeof given === "string") return clipMiddle(given, maxReason);
  return `the agent gave no reason in words, but ${given === null ? "null" : typeof given}`;
}

/** What was thrown, in words. It may be anything. */
export function wordsOf(thrown: unknown): string {
  try {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    return clipMiddle(String(words), maxReason);
  } catch {
    return "something without words";
  }
}
