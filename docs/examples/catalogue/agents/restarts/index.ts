import { defineAgent } from "@microremed/catalogue";

/** Something is wrong if a pod has restarted. */
export default defineAgent({
  name: "Restarts",
  description: "says that something is wrong if a container has restarted",
  tasks: ["detection"],
  tools: ["probe_system"],
  code: true,
  maxAttempts: () => 1,
  solve: async ({ call, submit }) => {
    const path = "{.items[*].status.containerStatuses[*].restartCount}";
    const { ran, text } = await call("probe_system", { command: `kubectl get pods -o jsonpath='${path}'` });
    return submit({ anomaly: ran && text.split(" ").some((count) => Number(count) > 0) });
  },
});
