import { maxPlaybookLength, type Probe, type ToolCall } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import type { ToolSpec } from "@microremed/llm";
import { z } from "zod";
import type { Look } from "./looks/look.ts";
import { fencedContent } from "./playbook-in-text.ts";

export const printPlaybook: ToolSpec = {
  name: "print_playbook",
  description: "Hand in the complete Ansible playbook that repairs the failure. It is run as it is.",
  parameters: {
    type: "object",
    properties: { playbook: { type: "string", description: "The playbook, as YAML text" } },
    required: ["playbook"],
    additionalProperties: false,
  },
};

/** A call's argument, or in words why it has none. The words go back to the model. */
export type Argument<T> = { readonly value: T } | { readonly problem: string };

// A list of plays written as JSON instead of as text is a playbook too: JSON is YAML.
const PlaybookArguments = z.object({
  playbook: z.union([
    z.string(),
    z.array(z.record(z.string(), z.unknown())).transform((plays) => JSON.stringify(plays)),
  ]),
});

/** The playbook of a `print_playbook` call. */
export function playbookOf(call: ToolCall): Argument<string> {
  const expected = expects(call, '{"playbook": "- hosts: ..."}');
  const json = parseJson(call.arguments);
  if (json === undefined) return { problem: `Error: no valid JSON; ${expected}.` };
  const parsed = PlaybookArguments.safeParse(json);
  if (!parsed.success) return { problem: `Error: ${expected}.` };
  const playbook = fencedContent(parsed.data.playbook);
  if (playbook.trim() === "") return { problem: `Error: empty; ${expected}.` };
  if (playbook.length > maxPlaybookLength) {
    return { problem: `Error: longer than ${maxPlaybookLength} characters.` };
  }
  return { value: playbook };
}

/** What a call of a look asks for. */
export function probeOf(call: ToolCall, look: Look): Argument<Probe> {
  const expected = expects(call, look.example);
  // Models call a tool without arguments with none at all.
  const json = parseJson(call.arguments.trim() === "" ? "{}" : call.arguments);
  if (json === undefined) return { problem: `Error: no valid JSON; ${expected}.` };
  const probe = readProbe(look, json);
  return probe ? { value: probe } : { problem: `Error: ${expected}.` };
}

function readProbe(look: Look, json: unknown): Probe | undefined {
  try {
    return look.probe(json);
  } catch {
    // What fits the tool's schema may still not fit the message's, e.g. a name that is none.
    return undefined;
  }
}

function expects({ name }: ToolCall, example: string): string {
  return `the arguments of ${name} must be one JSON object like ${example}`;
}
