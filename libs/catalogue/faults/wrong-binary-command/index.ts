import {
  anotherDeployment,
  beforeStuckStarts,
  defineFault,
  deletePods,
  drawnProgram,
  hasNoProgram,
  offeredWorkloads,
  restartEverything,
  restartingShortcuts,
  setOther,
  stuckStarts,
  templateEvidence,
  workloadFault,
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

/** A container starts a file that its image does not have: it ends at once, again and again. */
export default defineFault({
  name: "wrong-binary-command",
  title: "Wrong command",
  description: "wrong-binary-command: the service's new pods end as soon as they start",
  drawn: { program: drawnProgram },
  lookalikes: ["command-stated"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, container }) =>
    container.behaviour.shell === "none" ? `the image of ${name} has no shell` : undefined,
  ),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: { program } }) => ["sh", "-c", `exec ${program}`] }],
    explanation: (context) =>
      `the command of ${context.target} is ${context.parameters.program}, which its image does not have, so it ends as soon as it starts`,
    mechanism: "program-cannot-start",
    systemLevel: "Application",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      templateEvidence(
        labels,
        field,
        ({ object, container, is, answers: [, stuck = ""] }) =>
          is !== undefined && hasNoProgram(stuck, object.name, String(container["name"])),
        [beforeStuckStarts, stuckStarts],
      ),
  }),
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
  notShortcuts: restartingShortcuts,
});
