import {
  kinds,
  kubectl,
  parametersOf,
  patchCommand,
  type Remedy,
  type RemedyContext,
  type Runbook,
} from "@microremed/catalogue";
import { limitPath, parameters, quantity } from "./batch.ts";

const batchOf = (context: RemedyContext): string => parametersOf(parameters, context).batch;

const awaitBatch = (where: { readonly namespace: string }, name: string): string =>
  `kubectl -n ${where.namespace} rollout status deployment/${name} --timeout=20s || echo "still rolling out"`;

const limitTo = (where: { readonly namespace: string }, name: string, value: string): string[] => [
  patchCommand(where, kinds.deployment, name, [{ op: "add", path: limitPath, value }]),
  awaitBatch(where, name),
];

export const limitAgain: Remedy = {
  name: "limit-again",
  doc: "the expert's fix: gives the batch the CPU limit that it had",
  commands: (context) => limitTo(context, batchOf(context), quantity(parametersOf(parameters, context).cpu)),
};

export const undoRollout: Remedy = {
  name: "undo-rollout",
  doc: "goes back to the revision of the batch before",
  commands: (context) => [
    `${kubectl(context)} rollout undo deployment/${batchOf(context)}`,
    awaitBatch(context, batchOf(context)),
  ],
};

export const pauseBatch: Remedy = {
  name: "pause-batch",
  doc: "scales the batch to no pods, until it is limited",
  commands: (context) => [`${kubectl(context)} scale deployment/${batchOf(context)} --replicas=0`],
};

export const restartBatch: Remedy = {
  name: "restart-batch",
  doc: "restarts the batch, which takes the nodes' CPU again",
  commands: (context) => [
    `${kubectl(context)} rollout restart deployment/${batchOf(context)}`,
    awaitBatch(context, batchOf(context)),
  ],
};

export const limitTooHigh: Remedy = {
  name: "limit-too-high",
  doc: "limits the batch to more CPU than a node has",
  commands: (context) => limitTo(context, batchOf(context), "31"),
};

export const deleteBatchPods: Remedy = {
  name: "delete-batch-pods",
  doc: "deletes the pods of the batch, which are made again",
  commands: (context) => [`${kubectl(context)} delete pod -l app=${batchOf(context)} --wait=false`],
};

const first = "{.spec.template.spec.containers[0].resources";
const amounts = `{range .items[*]}{.metadata.name} ${first}.requests.cpu} ${first}.limits.cpu}{"\\n"}{end}`;
/** Of the lines with a request and no limit the one with the highest request: name and request. */
const mostWithoutLimit =
  'awk \'NF == 2 { cpu = $2; if (!sub(/m$/, "", cpu)) cpu *= 1000; if (cpu + 0 > most + 0) { most = cpu; line = $1 " " $2 } } END { print line }\'';

/** Limits the Deployment that requests most CPU and has no limit to what it requests. */
const limitGreatest = ({ namespace }: { readonly namespace: string }): string[] => [
  `found=$(kubectl -n ${namespace} get deployments -o jsonpath='${amounts}' | ${mostWithoutLimit})`,
  `kubectl -n ${namespace} patch "deployment/\${found% *}" --type=json -p "[{\\"op\\":\\"add\\",\\"path\\":\\"${limitPath}\\",\\"value\\":\\"\${found#* }\\"}]"`,
  `kubectl -n ${namespace} rollout status "deployment/\${found% *}" --timeout=20s || echo "still rolling out"`,
];

export const limitFound: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} top pods`,
  act: ({ namespace, target, finding }) => ({
    title: `Limit what takes the CPU of the nodes of ${target}`,
    commands: finding
      ? limitTo({ namespace }, finding.object.name, finding.right)
      : limitGreatest({ namespace }),
  }),
};
