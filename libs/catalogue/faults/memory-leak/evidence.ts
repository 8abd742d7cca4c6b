import { type CauseLabels, type Evidence, evidenceBy, printedBy, shellCall } from "@microremed/catalogue";
import { nothing, variable } from "./program.ts";

/** A line for each ConfigMap: its name and the variable's value. */
const values = shellCall(
  `kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name} {.data.${variable}}{"\\n"}{end}'`,
);
/** A line for each Deployment: its name, and the ConfigMaps from which its programs have the variable. */
const readers = shellCall(
  `kubectl get deployments -o jsonpath='{range .items[*]}{.metadata.name} {.spec.template.spec.containers[*].env[?(@.name=="${variable}")].valueFrom.configMapKeyRef.name}{"\\n"}{end}'`,
);

/** A program that keeps something of each request in memory: an expert knows what the variable means. */
export const keptRequests = (labels: CauseLabels): Evidence =>
  evidenceBy([values, readers], ([listed = "", read = ""]) => {
    const kept = new Map(
      [...printedBy(listed).matchAll(/^(\S+) ([1-9]\d*)$/gm)].map(([, name = "", kib = ""]) => [name, kib]),
    );
    return [...printedBy(read).matchAll(/^(\S+) (\S+)$/gm)].flatMap(([, workload = "", configMap = ""]) => {
      const wrong = kept.get(configMap);
      if (wrong === undefined) return [];
      const object = { kind: "ConfigMap", name: configMap };
      return [
        {
          ...{ object, field: `data.${variable}`, wrong, right: nothing, workload },
          seen: "cause" as const,
          ...labels,
        },
      ];
    });
  });
