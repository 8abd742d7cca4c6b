import { defineProbeTool, z } from "@microremed/catalogue";

/** One ConfigMap of the arena. A shell reads the command, so the name may hold only what a name may have. */
export default defineProbeTool({
  name: "get_config_map",
  description: "Get one ConfigMap of the namespace.",
  arguments: z.object({
    name: z
      .string()
      .regex(/^[a-z0-9.-]+$/)
      .describe("Its name"),
  }),
  example: { name: "cart" },
  probe: ({ name }) => ({ kind: "command", command: `kubectl get configmap ${name} -o yaml` }),
});
