import { z } from "zod";
import { defineLook } from "./look.ts";

export const getTopology = defineLook({
  name: "get_topology",
  description:
    "Get the namespace's services with their endpoints, the workloads behind them, and which calls which.",
  arguments: z.object({}),
  example: {},
  probe: () => ({ kind: "topology" }),
});
