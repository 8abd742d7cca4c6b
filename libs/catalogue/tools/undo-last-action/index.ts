import { defineTool, z } from "@microremed/catalogue";

export default defineTool({
  name: "undo_last_action",
  kind: "observe",
  rights: "write",
  acts: true,
  description:
    "Put the objects back that your last changing command has changed, as they were before it; called again, those of the command before. Pods and Secrets are not put back.",
  arguments: z.object({}),
  example: {},
  run: async () => ({ act: { tool: "undo_last_action", arguments: {} } }),
});
