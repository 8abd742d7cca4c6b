import { printedBy, shellCall } from "./evidence/common-calls.ts";
import { type CauseLabels, type Evidence, evidenceBy } from "./evidence/evidence.ts";

/** A line for each ConfigMap: its name and the variable's value. */
const values = (variable: string) =>
  shellCall(
    `kubectl get configmaps -o jsonpath='{range .items[*]}{.metadata.name} {.data.${variable}}{"\\n"}{end}'`,
  );

/** A line for each Deployment: its name, and the ConfigMaps from which its programs have the variable. */
const readers = (variable: string) =>
  shellCall(
    `kubectl get deployments -o jsonpath='{range .items[*]}{.metadata.name} {.spec.template.spec.containers[*].env[?(@.name=="${variable}")].valueFrom.configMapKeyRef.name}{"\\n"}{end}'`,
  );

/** A ConfigMap that switches on what a variable of a program does: an expert knows the name of the variable. */
export const switchEvidence = (
  variable: string,
  { wrong, right }: { readonly wrong: string; readonly right: string },
  labels: CauseLabels,
): Evidence =>
  evidenceBy([values(variable), readers(variable)], ([listed = "", read = ""]) =>
    printedBy(read)
      .split("\n")
      .flatMap((line) => {
        const [workload = "", configMap] = line.trim().split(" ");
        if (configMap === undefined || !printedBy(listed).split("\n").includes(`${configMap} ${wrong}`))
          return [];
        const object = { kind: "ConfigMap", name: configMap };
        return [
          { object, field: `data.${variable}`, wrong, right, workload, seen: "cause" as const, ...labels },
        ];
      }),
  );
