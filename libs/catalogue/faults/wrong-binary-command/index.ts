import {
  anotherDeployment,
  defineFault,
  deletePods,
  offeredWorkloads,
  restartEverything,
  revertConfiguration,
  setBack,
  setOther,
  truthOfChange,
  undoRollout,
  type WorkloadChange,
  workloadChange,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  program: z
    .string()
    .regex(/^\/[\w/.-]+$/)
    .default("/opt/app/start.sh")
    .describe("started instead of the image's own program; the image has no such file"),
});

const field = { of: "container", field: "command" } as const;

const change: WorkloadChange<z.output<typeof parameters>> = {
  edits: ({ parameters: { program } }) => [{ ...field, wrong: ["sh", "-c", `exec ${program}`] }],
};

/** A container starts a file that its image does not have: it ends at once, again and again. */
export default defineFault({
  name: "wrong-binary-command",
  title: "Wrong command",
  description: "wrong-binary-command: the service's new pods end as soon as they start",
  parameters,
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, container }) =>
    container.behaviour.shell === "none" ? `the image of ${name} has no shell` : undefined,
  ),
  ...workloadChange<typeof parameters>(change),
  truth: (context) => ({
    ...truthOfChange(change, context),
    mechanism: "program-cannot-start",
    explanation: `the command of ${context.target} is ${context.parameters.program}, which its image does not have, so it ends as soon as it starts`,
    systemLevel: "Application",
    faultType: "Misconfiguration",
  }),
  repairs: [undoRollout, setBack([field])],
  shortcuts: [
    setOther("starts another file that is not there", field, ["sh", "-c", "exec /app/run.sh"]),
    {
      ...setOther("lets the container sleep instead", field, ["sh", "-c", "while true; do sleep 3600; done"]),
      name: "sleep-instead",
    },
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  // They restart its pods, which does not even hide the symptom.
  notShortcuts: ["delete-service", "stop-load"],
  runbook: revertConfiguration,
});
