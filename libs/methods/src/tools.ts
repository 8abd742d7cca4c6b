import type { ToolCall } from "@microremed/contracts";
import type { ToolSpec } from "@microremed/llm";
import { z } from "zod";
import { fencedContent } from "./playbook-in-text.ts";

/** Longest playbook that an executor takes, characters. */
export const maxPlaybookLength = 262_144;
/** Longest probe command, characters. */
const maxCommandLength = 16_384;

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

export const probeSystem: ToolSpec = {
  name: "probe_system",
  description: "Run one read-only shell command (kubectl and filters on its output) and get what it prints.",
  parameters: {
    type: "object",
    properties: { command: { type: "string", description: "The command, e.g. kubectl get pods -n shop" } },
    required: ["command"],
    additionalProperties: false,
  },
};

/** A call's argument, or in words why it has none. The words go back to the model. */
export type Argument = { readonly value: string } | { readonly problem: string };

// A list of plays written as JSON instead of as text is a playbook too: JSON is YAML.
const PlaybookArguments = z.object({
  playbook: z.union([
    z.string(),
    z.array(z.record(z.string(), z.unknown())).transform((plays) => JSON.stringify(plays)),
  ]),
});
const CommandArguments = z.object({ command: z.string() });

/** The playbook of a `print_playbook` call. */
export function playbookOf(call: ToolCall): Argument {
  return argumentOf(call, printPlaybook, maxPlaybookLength, (json) => {
    const parsed = PlaybookArguments.safeParse(json);
    return parsed.success ? fencedContent(parsed.data.playbook) : undefined;
  });
}

/** The command of a `probe_system` call. */
export function commandOf(call: ToolCall): Argument {
  return argumentOf(
    call,
    probeSystem,
    maxCommandLength,
    (json) => CommandArguments.safeParse(json).data?.command,
  );
}

function argumentOf(
  call: ToolCall,
  tool: ToolSpec,
  maxLength: number,
  read: (json: unknown) => string | undefined,
): Argument {
  const expected = `the arguments of ${tool.name} must be one JSON object like ${example(tool)}`;
  const json = parseJson(call.arguments);
  if (json === undefined) return { problem: `Error: no valid JSON; ${expected}.` };
  const value = read(json);
  if (value === undefined) return { problem: `Error: ${expected}.` };
  if (value.trim() === "") return { problem: `Error: empty; ${expected}.` };
  if (value.length > maxLength) return { problem: `Error: longer than ${maxLength} characters.` };
  return { value };
}

function example(tool: ToolSpec): string {
  return tool === printPlaybook ? '{"playbook": "- hosts: ..."}' : '{"command": "kubectl get pods"}';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
