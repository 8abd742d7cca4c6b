import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnEnding,
  kinds,
  mendCommand,
  mergeCommand,
  objectName,
  operatedTarget,
  operatedWorkloads,
  patchCommand,
  type Remedy,
  type RemedyContext,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  targetName,
  valueAt,
  waitingPods,
  z,
} from "@microremed/catalogue";
import { asksFor, awaitSet, claimAgain, field, lastOf, readClaim, readResource, setClass } from "./claims.ts";
import { unknownClass } from "./evidence.ts";

const parameters = z.object({
  storageClass: objectName
    .default("premium-rwo")
    .describe("class of the volumes; there is none of this name"),
});

const pathIn = (context: Pick<RemedyContext, "environment" | "target">): string =>
  `${operatedTarget(context).part}${field}`;

/** Waits until the set of a workload asks for its class no more, or is being made again, and replaces what waits for it. */
const replaceWaiting = (namespace: string, workload: string): string[] => [
  `for try in $(seq 30); do`,
  `  class=$(kubectl -n ${namespace} get statefulset ${workload} --ignore-not-found -o jsonpath='{.spec.volumeClaimTemplates[0].spec.storageClassName}')`,
  `  if [ -z "$class" ]; then break; fi`,
  "  sleep 2",
  "done",
  `for claim in $(kubectl -n ${namespace} get pvc -o jsonpath='{range .items[?(@.status.phase=="Pending")]}{.metadata.name}{"\\n"}{end}'); do`,
  `  kubectl -n ${namespace} delete pvc $claim --wait=false`,
  `  kubectl -n ${namespace} delete pod "${workload}-\${claim##*-}" --wait=false --ignore-not-found`,
  "done",
];

const setClassAndReplace: Remedy = {
  name: "unset-class",
  doc: "the expert's fix: the custom resource names no class, as before, and the claim that waits is made again",
  commands: (context) => [
    patchCommand(context, operatedTarget(context), operatedTarget(context).name, [
      { op: "remove", path: pathIn(context) },
    ]),
    ...replaceWaiting(context.namespace, context.name),
  ],
};

const mergeAndReplace: Remedy = {
  name: "merge-class",
  doc: "the same by a merge patch",
  commands: (context) => {
    const resource = operatedTarget(context);
    return [
      mergeCommand(context, resource, resource.name, pathIn(context), null),
      ...replaceWaiting(context.namespace, context.name),
    ];
  },
};

const claimOnly: Remedy = {
  name: "claim-only",
  doc: "deletes the claim that waits and its pod: the set makes the same claim again",
  commands: (context) => [
    `kubectl -n ${context.namespace} delete pvc ${lastOf(context).claim} --wait=false`,
    `kubectl -n ${context.namespace} delete pod ${lastOf(context).pod} --wait=false`,
  ],
};

const otherClass: Remedy = {
  name: "other-class",
  doc: "names another class that is not there",
  commands: (context) => [
    patchCommand(context, operatedTarget(context), operatedTarget(context).name, [
      { op: "replace", path: pathIn(context), value: "fast-local" },
    ]),
    ...claimOnly.commands(context),
  ],
};

const labels: CauseLabels = {
  mechanism: "storage-unavailable",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const nameNoClass: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get pvc`,
  act: ({ namespace, target, finding }) => ({
    title: `Give ${target} volumes of a class that there is`,
    commands: finding ? [mendCommand(namespace, finding), ...replaceWaiting(namespace, target)] : ["true"],
  }),
};

/** A custom resource asks for volumes of a class that there is not, and a replica that has lost its volume waits for one. */
export default defineFault({
  name: "operator-cr-storage-class",
  title: "Custom resource with a storage class that does not exist",
  description: "operator-cr-storage-class: a pod of the service waits for its volume",
  parameters,
  drawn: { storageClass: drawnEnding("ssd", "rwo", "retain", "nvme", "block") },
  withoutTwin:
    "a claim keeps its storage class: another one has no harmless effect on a store that has claims",
  symptom: "ready",
  recovery: ["ready", "serving", "reconciled"],
  rightActions: [],
  ...operatedWorkloads("/requests/storage"),
  async inject(context) {
    const { storageClass } = context.parameters;
    await setClass(context, storageClass);
    await awaitSet(context, storageClass);
    await claimAgain(context, (name) => name === storageClass);
  },
  async status(context) {
    const { storageClass } = context.parameters;
    const isNamed = valueAt(await readResource(context), pathIn(context)) === storageClass;
    const isAsked = asksFor(await readClaim(context), storageClass);
    const pods = await waitingPods(context);
    return {
      present: isNamed || isAsked,
      injected: isNamed && isAsked && pods.length > 0,
      pods,
      expiresAt: null,
      note: `the custom resource of ${context.target} ${isNamed ? "asks" : "does not ask"} for the class ${storageClass}; pods that wait: ${pods.length}`,
    };
  },
  async remove(context) {
    const { storageClass } = context.parameters;
    const isNamed = valueAt(await readResource(context), pathIn(context)) === storageClass;
    if (!isNamed && !asksFor(await readClaim(context), storageClass)) return;
    await setClass(context, undefined);
    await awaitSet(context, undefined);
    await claimAgain(context, (name) => name !== storageClass);
  },
  truth: (context) => {
    const { kind, name, part } = operatedTarget(context);
    const { storageClass } = context.parameters;
    const path = `${part}${field}`.slice(1).replaceAll("/", ".");
    const { claim } = lastOf(context);
    return {
      objects: [{ kind, name, field: path, wrong: storageClass, right: "none" }],
      affected: [
        { kind, name },
        { kind: kinds.persistentVolumeClaim.kind, name: claim },
        ...affectedObjects(context),
      ],
      ...labels,
      explanation: `the custom resource of ${targetName(context)} asks for volumes of the class ${storageClass}, which there is not, so that the claim ${claim} of a replica that lost its volume is never bound`,
    };
  },
  repairs: [setClassAndReplace, mergeAndReplace],
  runbook: nameNoClass,
  evidence: unknownClass(labels),
  shortcuts: [otherClass, claimOnly, restartEverything, deletePods],
  notShortcuts: restartingShortcuts,
});
