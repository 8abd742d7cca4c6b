import {
  actsOn,
  type CauseLabels,
  type Evidence,
  type EvidenceCall,
  eventsWith,
  type Finding,
  pauseBefore,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
const codes = "{.state.terminated.exitCode}{.lastState.terminated.exitCode}";
const reasons = "{.state.terminated.reason}{.lastState.terminated.reason}";
const statuses = `{range .items[*]}{.metadata.name} ${owner}{range .status.containerStatuses[*]} {.restartCount}={.state.running.startedAt}=${codes}/${reasons}{end}{"\\n"}{end}`;
const killings = `${eventsWith("Killing")} | sed -E 's#^[A-Za-z]+/([^ ]+) .*#K \\1#' | sort -u`;

/**
 * A line for each pod that the kubelet has ended a container of, and one for each pod with a container that ended by SIGKILL.
 * One from outside leaves the exit code 137 and no event of the kubelet. `reading`: its number; another one is another call.
 */
const endsCall = (reading: number): EvidenceCall =>
  shellCall(
    `${killings}; kubectl get pods -o jsonpath='${statuses}' | grep -E '=(137)+/(Error)+|^reading ${reading}$'`,
  );

/** Fewest ends: one may be chance. */
const fewest = 2;
const calls = [endsCall(1), pauseBefore(2), endsCall(2), pauseBefore(3), endsCall(3)];
const isReading = (_: unknown, index: number): boolean => index % 2 === 0;

/** A container ends by SIGKILL, again and again, and neither the kubelet nor a lack of memory has killed it. */
export const killedFromOutside = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const killed = killedIn(answers.filter(isReading).at(-1) ?? "");
    const next = calls[answers.length];
    const isPaused = answers.length % 2 === 0;
    if (next && (isPaused || killed.some(({ ends }) => ends < fewest))) return next;
    return killed.flatMap(({ of, ends }): Finding[] => {
      const workload = workloadOfOwner(of);
      return workload && ends >= fewest ? [actsOn(workload, labels)] : [];
    });
  },
});

interface Killed {
  /** The owner of its pod. */
  readonly of: string;
  /** How often it has ended. */
  readonly ends: number;
}

function killedIn(text: string): Killed[] {
  const byKubelet = new Set([...text.matchAll(/^K (\S+)$/gm)].map(([, pod]) => pod));
  return [...text.matchAll(/^([a-z0-9.-]+) ([A-Z][A-Za-z]+\/\S+) (.*)$/gm)].flatMap(
    ([, pod, of = "", containers = ""]) =>
      [...containers.matchAll(/(?:^| )(\d+)=(\S*)=(?:137)+\/(?:Error)+(?= |$)/g)].flatMap(
        ([, restarts, runningSince]) =>
          byKubelet.has(pod) ? [] : [{ of, ends: Number(restarts) + (runningSince === "" ? 1 : 0) }],
      ),
  );
}
