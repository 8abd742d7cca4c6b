import {
  anotherDeployment,
  defineFault,
  deletePods,
  jsonPatch,
  kinds,
  knownPorts,
  manifestOf,
  offeredWorkloads,
  type Place,
  pageServer,
  type Remedy,
  restartEverything,
  restartingShortcuts,
  rollOut,
  sidecarDraws,
  sidecarParameters,
  type TruthContext,
  templateEvidence,
  undoRollout,
  valueAt,
  valueInWords,
  workloadFault,
  z,
} from "@microremed/catalogue";

type Parameters = z.output<typeof sidecarParameters>;

const path = "/spec/template/spec/containers";
const portOf = ({ container }: Place): number => container.behaviour.listens[0] ?? 80;

/** The containers that are declared, and the one that is added. */
function withSidecar({ environment }: TruthContext, place: Place, how: Parameters): unknown[] {
  const { kind } = place.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const own = valueAt(manifestOf(environment, { kind }, place.name), path);
  return [...(Array.isArray(own) ? own : []), pageServer(how, portOf(place))];
}

const removeSidecar: Remedy = {
  name: "remove-sidecar",
  doc: "removes the container that was added",
  commands: (context) => [
    jsonPatch(context, [{ op: "remove", path: `${path}/${context.workload.containers.length}` }]),
    ...rollOut(context),
  ],
};

const dropProgram: Remedy = {
  name: "drop-program",
  doc: "removes the program itself and leaves the container that was added",
  commands: (context) => [jsonPatch(context, [{ op: "remove", path: `${path}/0` }]), ...rollOut(context)],
};

const Containers = z.array(z.looseObject({ name: z.string() }));

/** A container that was added and has a port of another one in its command or among its own. */
function intruder(was: unknown, is: unknown) {
  const [before, now] = [was, is].map((list) => Containers.safeParse(list).data ?? []);
  const added = (now ?? []).filter(({ name }) => !before?.some((one) => one.name === name));
  const taken = (before ?? []).flatMap((one) => knownPorts(one)).map(String);
  for (const { name, command, args, ports } of added) {
    const words = JSON.stringify([command, args, ports]).match(/\d+/g) ?? [];
    const port = words.find((word) => taken.includes(word));
    if (port !== undefined) return { path: `[name=${name}]`, wrong: name, right: "none" };
  }
  return false;
}

/** A container that was added listens on the program's port, which only one of a pod's containers can have. */
export default defineFault({
  name: "sidecar-port-conflict",
  title: "Sidecar on the program's port",
  description: "sidecar-port-conflict: a container of the service's new pods ends again and again",
  drawn: sidecarDraws,
  lookalikes: ["sidecar-added"],
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(({ name, container }) =>
    container.behaviour.listens.length === 0 ? `${name} listens on no port` : undefined,
  ),
  ...workloadFault({
    parameters: sidecarParameters,
    edits: [
      {
        of: "pod",
        field: "containers",
        wrong: (context, place) => withSidecar(context, place, context.parameters),
        cause: ({ parameters: how }, place) => ({
          path: `[name=${how.name}]`,
          wrong: valueInWords(pageServer(how, portOf(place))),
          others: [how.name, String(portOf(place))],
          right: "none",
        }),
      },
    ],
    explanation: (context) =>
      `the containers of ${context.target} share the pod's ports, and the added ${context.parameters.name} listens on that of the program, so one of the two cannot start`,
    mechanism: "program-cannot-start",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) =>
      templateEvidence(labels, { of: "pod", field: "containers" }, ({ was, is }) => intruder(was, is)),
  }),
  repairs: [undoRollout, removeSidecar],
  shortcuts: [dropProgram, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
