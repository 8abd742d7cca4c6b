import { defineProbeTool, z } from "@microremed/catalogue";

export default defineProbeTool({
  name: "describe",
  description: "Describe one object: its spec and status, its pods with their restarts, its last events.",
  arguments: z.object({
    of: z.string().describe("<kind>/<name>, e.g. deployment/cart, pod/cart-0, node/n1"),
  }),
  example: { of: "deployment/cart" },
  maxResult: 10_000,
  probe: ({ of }) => ({ kind: "describe", of }),
});
