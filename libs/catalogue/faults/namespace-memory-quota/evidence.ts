import {
  type CauseLabels,
  type Evidence,
  evidenceBy,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

const owner = "{.involvedObject.kind}/{.involvedObject.name}";
const ofEvents = `kubectl get events --field-selector reason=FailedCreate -o jsonpath='{range .items[*]}${owner} {.message}{"\\n"}{end}'`;
const ofSets = `kubectl get rs -o jsonpath='{range .items[*]}{.kind}/{.metadata.name} {.status.conditions[?(@.type=="ReplicaFailure")].message}{"\\n"}{end}'`;
/** A line for each object whose pods a quota has refused lately: what it is, and the quota's name. */
const refusals = shellCall(
  `{ ${ofEvents}; ${ofSets}; } | grep quota: | sed -E 's/ .* quota: ([^:,]+)[:,].*/ \\1/' | sort -u`,
);
/** A line for each quota: its name, and what it allows of CPU and memory. */
const quotas = shellCall(
  `kubectl get resourcequotas -o jsonpath='{range .items[*]}quota {.metadata.name} {.spec.hard}{"\\n"}{end}' | grep -E 'cpu|memory'`,
);

/** The server refuses pods for a quota that there still is. */
export const refusedByQuota = (labels: CauseLabels): Evidence =>
  evidenceBy([refusals, quotas], ([refused = "", listed = ""]) => {
    const hard = new Map(
      [...listed.matchAll(/^quota (\S+) (\{.*\})$/gm)].map(([, name = "", is = ""]) => [name, is]),
    );
    const found = [...refused.matchAll(/^([A-Z]\S+) (\S+)$/gm)].flatMap(([, by = "", name = ""]) => {
      const [workload, wrong] = [workloadOfOwner(by), hard.get(name)];
      return workload && wrong !== undefined ? [{ workload: workload.name, name, wrong }] : [];
    });
    return [...Map.groupBy(found, ({ name }) => name).values()].flatMap(([first]) =>
      first === undefined
        ? []
        : [
            {
              object: { kind: "ResourceQuota", name: first.name },
              field: "spec.hard",
              wrong: first.wrong,
              right: "no such object",
              workload: first.workload,
              seen: "cause" as const,
              ...labels,
            },
          ],
    );
  });
