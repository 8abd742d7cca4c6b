import { defineProbeTool, z } from "@microremed/catalogue";

export default defineProbeTool({
  name: "query_metrics",
  description:
    "Get the CPU and memory that every container of the namespace uses now; or, with a query, what Prometheus answers where the cluster has one.",
  arguments: z.object({
    promql: z.string().max(4096).optional().describe("A PromQL query; it sees the namespace alone"),
  }),
  example: {},
  probe: (args) => ({ kind: "metrics", ...args }),
});
