import { defineTool, maxPlaybookLength as maxLength, z } from "@microremed/catalogue";
import { playbookInText } from "./playbook-in-text.ts";

const Plays = z.array(z.record(z.string(), z.unknown()));

/** A list of plays written as JSON instead of as text is a playbook too: JSON is YAML. */
function asText(given: unknown): unknown {
  const parsed = z.object({ playbook: z.unknown() }).safeParse(given);
  if (!parsed.success) return given;
  const plays = Plays.safeParse(parsed.data.playbook);
  return { playbook: plays.success ? JSON.stringify(plays.data) : parsed.data.playbook };
}

/** MicroRemed's way to act: an Ansible playbook. Models know it as print_playbook, as in the paper. */
export default defineTool({
  name: "run_playbook",
  publishedAs: "print_playbook",
  kind: "act",
  rights: "write",
  description: "Hand in the complete Ansible playbook that repairs the failure. It is run as it is.",
  arguments: z.preprocess(
    asText,
    z.strictObject({
      playbook: z
        .string()
        .describe("The playbook, as YAML text")
        .refine((text) => text.trim() !== "", "empty")
        .refine((text) => text.length <= maxLength, `longer than ${maxLength} characters.`),
    }),
  ),
  example: '{"playbook": "- hosts: ..."}',
  handsIn: {
    noun: "playbook",
    usage: 'print_playbook with the complete playbook as its argument "playbook"',
    inText: {
      form: "a playbook in a YAML block",
      read: (text) => {
        const playbook = playbookInText(text);
        return playbook === undefined ? undefined : { playbook };
      },
    },
  },
});
