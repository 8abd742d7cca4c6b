import { changeFinding, changesByObject } from "./changed-workloads.ts";
import type { ChangedField } from "./changes.ts";
import { commonCalls, eventsWith, shellCall } from "./common-calls.ts";
import { type CauseLabels, type Evidence, type EvidenceCall, evidenceBy } from "./evidence.ts";
import { beforeStuckStarts } from "./stuck-starts.ts";
import { type TemplateChange, type TemplateField, templateEvidence } from "./template-evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

const counts = "{.spec.replicas} {.status.replicas} {.status.updatedReplicas} {.status.readyReplicas}";
const lines = `kubectl get deployments,statefulsets -o jsonpath='{range .items[*]}{.kind}/{.metadata.name} ${counts}{"\\n"}{end}'`;
// What is not there counts as 0.
const short = "awk '$2 + 0 != $3 + 0 || $2 + 0 != $4 + 0 || $2 + 0 != $5 + 0'";

/** A line for each workload that has not as many pods as it wants, all of its newest template and ready. */
export const shortOfPods = shellCall(`${lines} | ${short}`);

/** Whether a workload lacks such pods, by the answer to `shortOfPods`. */
export const lacksPods = (answer: string, { kind, name }: ChangedField["object"]): boolean =>
  answer.split("\n").some((line) => line.startsWith(`${kind}/${name} `));

const ofEvents = eventsWith("FailedCreate");
const ofSets = `kubectl get rs -o jsonpath='{range .items[*]}{.kind}/{.metadata.name} {.status.conditions[?(@.type=="ReplicaFailure")].message}{"\\n"}{end}'`;
const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
const ofPods = `kubectl get pods -o jsonpath='{range .items[*]}${owner} {.status.conditions[?(@.type=="PodScheduled")].message}{"\\n"}{end}'`;
/** A line for each reason why a pod could not be made or placed, behind what makes it. */
const startReasons = shellCall(`{ ${ofEvents}; ${ofSets}; ${ofPods}; } | grep ' .' | cut -c1-600 | sort -u`);

/** Why a workload's pods could not be made or placed, by the answer to `startReasons`; nothing says it: "". */
const reasonsOf = (answer: string, workload: string): string =>
  answer
    .split("\n")
    .filter((line) => workloadOfOwner(line.split(" ")[0] ?? "")?.name === workload)
    .join("\n");

/**
 * Evidence in the change log, of workloads that have lacked pods since: the same change is harmless where pods come up with it.
 * `why`: what the cluster says why there are none, lines of text; "": it says nothing.
 */
export const startEvidence = (
  labels: CauseLabels,
  isCause: (change: ChangedField, why: string) => boolean,
): Evidence =>
  evidenceBy(
    [commonCalls.changes, beforeStuckStarts, shortOfPods, startReasons],
    ([log = "", , short = "", said = ""]) =>
      changesByObject(log).flatMap((changes) => {
        const [{ object }] = changes;
        const why = reasonsOf(said, object.name);
        const found = lacksPods(short, object) ? changes.find((one) => isCause(one, why)) : undefined;
        return found ? [changeFinding(found, labels)] : [];
      }),
  );

/**
 * Evidence in a field of pod templates, of workloads whose pods no node takes since. `reason`: what the scheduler says among others.
 * `isCause`: of the change, and of the answers to the calls that are `also` needed.
 */
export const unplacedEvidence = (
  labels: CauseLabels,
  field: TemplateField,
  { reason, also = [] }: { readonly reason: string; readonly also?: readonly EvidenceCall[] },
  isCause: (change: Pick<TemplateChange, "was" | "is">, ...answers: readonly string[]) => boolean,
): Evidence =>
  templateEvidence(
    labels,
    field,
    ({ object, was, is, answers: [, short = "", reasons = "", ...others] }) =>
      lacksPods(short, object) &&
      reasonsOf(reasons, object.name).includes(reason) &&
      isCause({ was, is }, ...others),
    [beforeStuckStarts, shortOfPods, startReasons, ...also],
  );
