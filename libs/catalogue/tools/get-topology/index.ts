import { defineProbeTool, z } from "@microremed/catalogue";

export default defineProbeTool({
  name: "get_topology",
  description:
    "Get the namespace's services with their endpoints, the workloads behind them, and which calls which.",
  arguments: z.object({}),
  example: {},
  probe: () => ({ kind: "topology" }),
});
