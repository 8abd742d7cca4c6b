import {
  chaosFault,
  defineFault,
  dropProbes,
  kinds,
  leaveNode,
  offeredWorkloads,
  otherImage,
  removeCause,
  targetOf,
  z,
} from "@microremed/catalogue";
import { killedFromOutside } from "./evidence.ts";

const parameters = z.object({
  everySeconds: z.int().min(2).max(15).default(10).describe("from one kill to the next"),
});

/** The main process of one pod is killed again and again: the kubelet starts it ever more seldom. */
export default defineFault({
  name: "container-killed",
  title: "Killed container",
  description: "container-killed: a pod of the service ends again and again",
  parameters,
  strengths: [{ name: "every 3 s", parameters: { everySeconds: 3 } }],
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [removeCause, leaveNode],
  ...offeredWorkloads(({ name, workload }) =>
    workload.kind === "Deployment"
      ? undefined
      : `a new pod of ${name} has the name of the old one, so the fault would stay with it`,
  ),
  ...chaosFault<z.output<typeof parameters>>({
    kind: kinds.podChaos,
    name: "container-killed",
    everySeconds: ({ parameters }) => parameters.everySeconds,
    spec: ({ environment, target }) => ({
      action: "container-kill",
      containerNames: [targetOf(environment, target)?.container.name ?? ""],
    }),
    wrong: ({ target, parameters: { everySeconds } }) => ({
      field: "spec.podChaos.action",
      value: `container-kill on one pod of ${target}, every ${everySeconds} s`,
      explanation: `the main process of a pod of ${target} is killed again and again, so the kubelet waits ever longer before it starts it`,
    }),
    mechanism: "pods-stopped",
    systemLevel: "Virtualization",
    faultType: "Operation Error",
    evidence: killedFromOutside,
  }),
  shortcuts: [otherImage, dropProbes],
});
