import { type CauseLabels, type Evidence, evidenceBy, shellCall } from "@microremed/catalogue";

const wants =
  '{range .items[*]}W {.metadata.name} {.spec.template.spec..configMapRef.name} {.spec.template.spec..configMapKeyRef.name} {.spec.template.spec..configMap.name}{"\\n"}{end}';
/** A line for each workload that needs a ConfigMap which is not there: the workload and the ConfigMap. */
const missing = shellCall(
  `{ kubectl get configmaps -o jsonpath='{range .items[*]}C {.metadata.name}{"\\n"}{end}'; kubectl get deployments,statefulsets -o jsonpath='${wants}'; } | awk '$1 == "C" { there[$2] = 1 } $1 == "W" { for (i = 3; i <= NF; i++) if (!($i in there)) print "missing:", $2, $i }' | sort -u`,
);

/** Pods refer to a ConfigMap that does not exist. Those that run have read it already. */
export const missingConfigMap = (labels: CauseLabels): Evidence =>
  evidenceBy([missing, unready], ([listed = "", waiting = ""]) => {
    const users = [...listed.matchAll(/^missing: (\S+) (\S+)$/gm)].map(([, workload = "", name = ""]) => ({
      workload,
      name,
    }));
    return [...Map.groupBy(users, ({ name }) => name)].map(([name, all]) => ({
      object: { kind: "ConfigMap", name },
      field: "",
      wrong: "no such object",
      right: "as it was declared",
      workload:
        (all.find(({ workload }) => waiting.includes(`waits: ${workload}\n`)) ?? all[0])?.workload ?? "",
      seen: "cause" as const,
      ...labels,
    }));
  });

const counts = '{range .items[*]}{.metadata.name} {.spec.replicas} {.status.readyReplicas}{"\\n"}{end}';
/** A line for each workload with fewer ready pods than it should have. */
const unready = shellCall(
  `kubectl get deployments,statefulsets -o jsonpath='${counts}' | awk '$3 + 0 < $2 + 0 { print "waits: " $1 }'`,
);
