import { type CauseLabels, type Evidence, refusedEvidence, shellCall } from "@microremed/catalogue";

/** A line for each quota: its name, and what it allows of CPU and memory. */
const listing = shellCall(
  `kubectl get resourcequotas -o jsonpath='{range .items[*]}quota {.metadata.name} {.spec.hard}{"\\n"}{end}' | grep -E 'cpu|memory'`,
);

/** The server refuses pods for a quota that there still is. */
export const refusedByQuota = (labels: CauseLabels): Evidence =>
  refusedEvidence(
    {
      filter: `grep quota: | sed -E 's/ .* quota: ([^:,]+)[:,].*/ \\1/'`,
      listing,
      read: (listed) =>
        new Map(
          [...listed.matchAll(/^quota (\S+) (\{.*\})$/gm)].map(([, name = "", wrong = ""]) => {
            const object = { kind: "ResourceQuota", name };
            return [name, { object, field: "spec.hard", wrong, right: "no such object" }] as const;
          }),
        ),
    },
    labels,
  );
