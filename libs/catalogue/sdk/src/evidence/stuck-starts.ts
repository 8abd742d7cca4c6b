import { pauseOf, shellCall } from "./common-calls.ts";
import type { EvidenceCall } from "./evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
const ofInit = "{range .status.initContainerStatuses[*]} init:{.name}={.state.running.startedAt}{end}";
const exits = "{.state.terminated.exitCode}{.lastState.terminated.exitCode}";
const ofPrograms = `{range .status.containerStatuses[*]} {.name}={.ready} exit:{.name}=${exits}{end}`;
const statuses = `kubectl get pods -o jsonpath='{range .items[*]}${owner}${ofInit}${ofPrograms}{"\\n"}{end}'`;

/** Lets a pod that was just made get ready, before `stuckStarts`. */
export const beforeStuckStarts = pauseOf(8);

/** A line for each pod that is not ready, or with a program that could not be started. */
export const stuckStarts: EvidenceCall = shellCall(
  `${statuses} | grep -E 'init:[^ ]+=[0-9]|=false|=12[678]'`,
);

/** What the answer to `stuckStarts` says of a workload's pods: `<container>=<text>` each. */
function statusesOf(answer: string, workload: string): string[] {
  return answer.split("\n").flatMap((line) => {
    const [of = "", ...statuses] = line.trim().split(" ");
    return workloadOfOwner(of)?.name === workload ? statuses : [];
  });
}

/** Whether an init container of the workload's pods does not end, by the answer to `stuckStarts`. */
export const isInitialising = (answer: string, workload: string, container: string): boolean =>
  statusesOf(answer, workload).some((one) => one.startsWith(`init:${container}=2`));

/** Whether a container of the workload's pods ends because its program is not there, by the answer to `stuckStarts`. */
export const hasNoProgram = (answer: string, workload: string, container: string): boolean =>
  statusesOf(answer, workload).some((one) => noProgram.test(one.replace(`exit:${container}=`, "exit:=")));

/** What a shell or a runtime ends with that cannot start a program; once for now, and once for the time before. */
const noProgram = /^exit:=(12[678])+$/;
