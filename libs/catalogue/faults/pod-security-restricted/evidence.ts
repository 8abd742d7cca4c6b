import {
  type CauseLabels,
  type Evidence,
  evidenceBy,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

const owner = "{.involvedObject.kind}/{.involvedObject.name}";
const ofEvents = `kubectl get events --field-selector reason=FailedCreate -o jsonpath='{range .items[*]}${owner} {.message}{"\\n"}{end}'`;
/** A line for each object whose pods were refused: what the namespace asks of them, `restricted:latest`. */
const refused = shellCall(
  `${ofEvents} | grep 'violates PodSecurity' | sed -E 's/ .*violates PodSecurity "([^"]+)".*/ \\1/' | sort -u`,
);

/** The server refuses pods that are not what a label of the namespace asks for. */
export const refusedBySecurity = (labels: CauseLabels): Evidence =>
  evidenceBy([refused], ([lines = ""], { namespace }) => {
    const [, by = "", level = ""] = /^([A-Z]\w*\/\S+) ([a-z]+):\S+$/m.exec(lines) ?? [];
    const workload = workloadOfOwner(by);
    return workload
      ? [
          {
            object: { kind: "Namespace", name: namespace },
            field: "metadata.labels[pod-security.kubernetes.io/enforce]",
            wrong: level,
            right: "no such label",
            workload: workload.name,
            seen: "cause" as const,
            ...labels,
          },
        ]
      : [];
  });
