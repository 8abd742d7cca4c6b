import {
  beforeStuckStarts,
  type CauseLabels,
  type Evidence,
  lackingList,
  lastRefusal,
  readRoles,
  refusalsIn,
  shellCall,
} from "@microremed/catalogue";

const ends = "{range .status.initContainerStatuses[*]} {.name}={.state.terminated.exitCode}{end}";
/** Each init container that has not ended well, as `<pod>/<container>`. */
const waiting = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}${ends}{"\\n"}{end}' | awk '{ for (i = 2; i <= NF; i++) if ($i !~ /=0$/) { split($i, a, "="); print $1 "/" a[1] } }'`;
/** What init containers of pods that wait are refused. */
const refused = shellCall(
  `for w in $(${waiting}); do kubectl logs "\${w%/*}" -c "\${w#*/}" --tail=5 2>/dev/null | ${lastRefusal}; done | sort -u`,
);
/** A line for each Deployment: its name and its account. */
const accounts = `kubectl get deployments -o jsonpath='{range .items[*]}{.metadata.name} as {.spec.template.spec.serviceAccountName}{"\\n"}{end}'`;

/** An init container is refused what it asks the API server for: the Role with its account's name lacks it. */
export const refusedInit = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const [waited, logs, read] = answers;
    // A pod that was just made has asked for nothing yet.
    if (waited === undefined) return beforeStuckStarts;
    if (logs === undefined) return refused;
    const refusals = refusalsIn(logs);
    if (refusals.length === 0) return [];
    if (read === undefined) return readRoles(refusals, accounts);
    return refusals.flatMap((refusal) => {
      const list = lackingList(read, refusal);
      const workload = new RegExp(`^(\\S+) as ${refusal.account}$`, "m").exec(read)?.[1];
      if (!list || workload === undefined) return [];
      const object = { kind: "Role", name: refusal.account };
      return [{ object, ...list, workload, seen: "cause" as const, ...labels }];
    });
  },
});
