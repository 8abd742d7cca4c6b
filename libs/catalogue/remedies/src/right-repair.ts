import { awaitRollout, kubectl, podSelector, workloadPath } from "@microremed/catalogue";
import type { RemedyCase } from "./remedy-case.ts";

/** The repair of faults that are objects of Chaos Mesh; no agent reaches them where they are concealed. */
const removesCause = "remove-cause";

/**
 * Lines of a shell script that end the fault for good in this case, for remedies that break something else besides.
 * Undefined: the fault's folder has none.
 */
export function rightRepair(one: RemedyCase): readonly string[] | undefined {
  const { fault, context, concealment, persistence } = one;
  if (mustMove(one)) return isOnOnePod(one) ? moveAway(one) : undefined;
  const isReachable = concealment === "none";
  const fits = fault.repairs.filter(({ applies }) => applies?.(context) ?? true);
  const isCured = fault.rightActions.length === 0 || persistence === "once" || !isReachable;
  const found = fits.find(({ name }) => (name === removesCause ? isReachable : isCured));
  return found?.commands(context);
}

/** Whether only another node helps: the fault comes back on new pods, and its cause is out of reach. */
function mustMove({ fault, concealment, persistence }: RemedyCase): boolean {
  const canMove = fault.rightActions.some(({ needsNodes }) => needsNodes);
  return persistence === "rearm" && concealment === "neutral" && canMove;
}

/** A concealed fault is on one pod; which of several it is, and so which node to leave, only a measurement says. */
const isOnOnePod = ({ context }: RemedyCase): boolean => context.workload.replicas === 1;

/** Forbids the nodes that the target's pods are on. */
function moveAway({ context }: RemedyCase): readonly string[] {
  const pods = `${kubectl(context)} get pods -l ${podSelector(context)}`;
  const inShell = (value: object): string => JSON.stringify(value).replaceAll('"', '\\"');
  const excluded = { key: "kubernetes.io/hostname", operator: "NotIn", values: ["NODES"] };
  const required = { nodeSelectorTerms: [{ matchExpressions: [excluded] }] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  const patch = inShell({ spec: { template: { spec: { affinity } } } });
  return [
    `nodes=$(echo $(${pods} -o jsonpath='{.items[*].spec.nodeName}') | sed 's/ /","/g')`,
    `${kubectl(context)} patch ${workloadPath(context)} --type=merge -p "${patch.replace("NODES", "$nodes")}"`,
    awaitRollout(context),
  ];
}
