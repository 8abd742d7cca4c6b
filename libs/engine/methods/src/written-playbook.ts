import { maxPlaybookLength } from "@microremed/contracts";
import { playbookInText } from "./playbook-in-text.ts";
import type { Answer } from "./progress.ts";

/** The playbook that an answer holds as a YAML block of its text instead of as a tool call. */
export function writtenPlaybook(answer: Answer): string | undefined {
  const written = playbookInText(answer.content);
  return written !== undefined && written.length <= maxPlaybookLength ? written : undefined;
}
