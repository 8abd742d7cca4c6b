import {
  defineFault,
  deletePods,
  drawnName,
  drawnWord,
  fieldFault,
  kinds,
  offeredBehindServices,
  patchCommand,
  type Remedy,
  restartEverything,
  selectOwnPods,
  selectorEvidence,
  serviceOf,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  label: z.string().default("release").describe("label that the selector asks for too; no pod has it"),
  value: z.string().default("stable"),
});

const otherWrongLabel: Remedy = {
  name: "other-wrong-label",
  doc: "asks for another value of the label that no pod has",
  commands: (context) => {
    const { label, value } = parameters.parse(context.parameters ?? {});
    const operations = [{ op: "replace", path: `/spec/selector/${label}`, value: `${value}-1` }];
    return [patchCommand(context, kinds.service, serviceOf(context)?.name ?? "", operations)];
  },
};

/** Endpoints stay empty: a Service that selects nothing takes those that are given by hand, and no pod follows. */
const withoutSelector: Remedy = {
  name: "without-selector",
  doc: "removes the whole selector",
  commands: (context) => [
    patchCommand(context, kinds.service, serviceOf(context)?.name ?? "", [
      { op: "remove", path: "/spec/selector" },
    ]),
  ],
};

/** The selector of a Service asks for a label that none of its pods has. */
export default defineFault({
  name: "service-selector-mismatch",
  title: "Service that selects no pods",
  description: "service-selector-mismatch: the service cannot be reached by its name",
  drawn: { label: drawnName("release", "track", "stage", "version", "role"), value: drawnWord },
  lookalikes: ["selector-relabelled"],
  symptom: "reach",
  recovery: ["ready", "serving", "reach"],
  rightActions: [],
  ...offeredBehindServices(),
  ...fieldFault({
    parameters,
    changes: (context) => {
      const service = serviceOf(context);
      const { label, value } = context.parameters;
      const wrong = { ...service?.spec.selector, [label]: value };
      return [{ kind: kinds.service, name: service?.name ?? "", path: "/spec/selector", wrong }];
    },
    explanation: (context) =>
      `the selector of the Service ${serviceOf(context)?.name} asks for the label ${context.parameters.label}, which none of its pods has, so it has no endpoints`,
    mechanism: "wrong-route",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => selectorEvidence(labels, ({ workloads, up }) => workloads.length === 0 && up === 0),
  }),
  runbook: selectOwnPods,
  shortcuts: [otherWrongLabel, withoutSelector, restartEverything, deletePods],
});
