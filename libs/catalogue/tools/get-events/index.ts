import { defineProbeTool, z } from "@microremed/catalogue";

export default defineProbeTool({
  name: "get_events",
  description: "Get the namespace's events, the latest last.",
  arguments: z.object({
    of: z.string().optional().describe("Those of one object, e.g. pod/cart-0; default: all"),
  }),
  example: {},
  probe: (args) => ({ kind: "events", ...args }),
});
