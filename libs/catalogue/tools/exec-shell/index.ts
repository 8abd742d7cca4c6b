import { defineTool, z } from "@microremed/catalogue";

/** Longest command that an executor takes, characters. */
const maxCommandLength = 16_384;

/** A command that only reads is run at once; any other one is an action, where the task allows that. */
export default defineTool({
  name: "exec_shell",
  kind: "observe",
  rights: "read",
  acts: true,
  maxResult: 8_000,
  description:
    "Run one shell command: kubectl, and filters such as grep, awk, jq or head on its output. Where the task is to repair the system the command may change it; otherwise it may only read.",
  arguments: z.object({
    command: z
      .string()
      .trim()
      .min(1)
      .max(maxCommandLength)
      .describe("The command, e.g. kubectl get pods, or kubectl rollout restart deployment/cart"),
  }),
  example: { command: "kubectl get pods" },
  run: async ({ command }, { ask, mayAct = false }) => {
    const reply = await ask({ kind: "command", command });
    if (reply.status !== "refused" || !mayAct) return reply;
    return { act: { tool: "exec_shell", arguments: { command } } };
  },
});
