import {
  defineFault,
  deletePods,
  type FieldChange,
  fieldFault,
  kinds,
  offeredBehindServices,
  patchCommand,
  type Remedy,
  restartEverything,
  serviceOf,
  serviceRunbook,
  type TruthContext,
  wrongPort,
  z,
} from "@microremed/catalogue";
import { strangePort } from "./evidence.ts";

const parameters = z.object({
  port: z
    .int()
    .min(1)
    .max(65535)
    .default(9999)
    .describe("port of the pods to which the Service leads instead; no program listens there"),
});

const changes = (context: TruthContext, port: number): FieldChange[] => {
  const service = serviceOf(context);
  return (service?.spec.ports ?? []).map((_, index) => ({
    kind: kinds.service,
    name: service?.name ?? "",
    path: `/spec/ports/${index}/targetPort`,
    wrong: port,
  }));
};

const otherWrongPort: Remedy = {
  name: "other-wrong-port",
  doc: "lets the Service lead to another port at which no program listens",
  commands: (context) =>
    changes(context, 9998).map(({ kind, name, path, wrong }) =>
      patchCommand(context, kind, name, [{ op: "replace", path, value: wrong }]),
    ),
};

/** Leads each port of the Service to that of the first container in its place. */
const leadToContainer = serviceRunbook(
  (target) => `Let the Service of ${target} lead to its ports`,
  ({ namespace }) => [
    `ports=$(kubectl -n ${namespace} get service "$service" -o jsonpath='{.spec.ports[*].port}')`,
    `own=$(kubectl -n ${namespace} get "$workload" -o jsonpath='{.spec.template.spec.containers[0].ports[*].containerPort}')`,
    "index=0",
    "for port in $ports; do",
    "  index=$((index + 1))",
    '  target=$(echo "$own" | cut -d" " -f$index)',
    `  kubectl -n ${namespace} patch service "$service" --type=json -p "[{\\"op\\":\\"replace\\",\\"path\\":\\"/spec/ports/$((index - 1))/targetPort\\",\\"value\\":$target}]"`,
    "done",
  ],
);

/** A Service leads to a port of its pods on which no program listens. */
export default defineFault({
  name: "service-target-port",
  title: "Service with a wrong target port",
  description: "service-target-port: the service cannot be reached by its name",
  drawn: { port: wrongPort },
  lookalikes: ["port-touched"],
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  rightActions: [],
  ...offeredBehindServices(),
  ...fieldFault({
    parameters,
    changes: (context) => changes(context, context.parameters.port),
    explanation: (context) =>
      `the Service ${serviceOf(context)?.name} leads to port ${context.parameters.port} of its pods, on which no program listens, so connections to it are refused`,
    mechanism: "wrong-route",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: strangePort,
  }),
  runbook: leadToContainer,
  shortcuts: [otherWrongPort, restartEverything, deletePods],
});
