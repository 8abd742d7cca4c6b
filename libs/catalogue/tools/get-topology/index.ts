import { defineProbeTool, z } from "@microremed/catalogue";

export default defineProbeTool({
  name: "get_topology",
  description:
    "Get the namespace's services with their endpoints, the workloads behind them, and which calls which.",
  // A line for each Service and workload: 4000 characters leave out a third of a system of fifty.
  maxResult: 8_000,
  arguments: z.object({}),
  example: {},
  probe: () => ({ kind: "topology" }),
});
