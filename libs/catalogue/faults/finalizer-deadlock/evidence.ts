import {
  type CauseLabels,
  type Evidence,
  lackingList,
  lastRefusal,
  printedBy,
  readRoles,
  refusalsIn,
  shellCall,
} from "@microremed/catalogue";

const accounts = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.spec.serviceAccountName}{"\\n"}{end}' | grep -v -e =default$ -e =$`;
/** What programs of pods with an account of their own are refused. */
const refused = shellCall(
  `for s in $(${accounts}); do kubectl logs "\${s%=*}" --tail=20 2>/dev/null | ${lastRefusal}; done | sort -u`,
);
/** A line for each ConfigMap that is being deleted and has finalizers. */
const deleting = shellCall(
  `kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.deletionTimestamp} {.metadata.finalizers}{"\\n"}{end}' | grep ' 20'`,
);

/** What is deleted waits for a program whose Role, which has its account's name, lacks a verb. */
export const missingVerb = (labels: CauseLabels): Evidence => ({
  next(answers) {
    const [listed, logs, read] = answers;
    if (listed === undefined) return deleting;
    const held = /^(\S+) 20\S+ .+$/m.exec(printedBy(listed))?.[1];
    if (held === undefined) return [];
    if (logs === undefined) return refused;
    const refusals = refusalsIn(logs);
    if (refusals.length === 0) return [];
    if (read === undefined) return readRoles(refusals);
    return refusals.flatMap((refusal) => {
      const list = lackingList(read, refusal);
      return list
        ? [
            {
              object: { kind: "Role", name: refusal.account },
              ...list,
              workload: held.replace(/^archive-of-/, ""),
              seen: "cause" as const,
              ...labels,
            },
          ]
        : [];
    });
  },
});
