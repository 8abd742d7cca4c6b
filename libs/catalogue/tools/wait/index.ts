import { defineProbeTool, z } from "@microremed/catalogue";

export default defineProbeTool({
  name: "wait",
  description: "Let time pass in the cluster, for a rollout to end or a metric to be measured again.",
  arguments: z.object({ seconds: z.int().min(1).max(300) }),
  example: { seconds: 30 },
  probe: ({ seconds }) => ({ kind: "wait", seconds }),
});
