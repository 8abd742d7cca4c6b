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

const waiting = "kubectl get pods --no-headers | awk '$3 ~ /^Init:/ {print $1}'";
const inits = `kubectl get pod "$p" -o jsonpath='{.spec.initContainers[*].name}'`;
/** What init containers of pods that wait are refused. */
const refused = shellCall(
  `for p in $(${waiting}); do for c in $(${inits}); do kubectl logs "$p" -c "$c" --tail=5 2>/dev/null | ${lastRefusal}; done; done | sort -u`,
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
