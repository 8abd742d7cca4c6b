import {
  type CauseLabels,
  type Evidence,
  operatedEvidence,
  partOf,
  shellCall,
  usualValue,
} from "@microremed/catalogue";

/** Claims that wait, with the class that they ask for. */
const waiting = shellCall(
  `kubectl get pvc -o jsonpath='{range .items[*]}{.status.phase} {.metadata.name} {.spec.storageClassName}{"\\n"}{end}' | sed -n 's/^Pending //p'`,
);

/** A claim of a workload waits for a class that the custom resource names, and other parts of it name another or none. */
export const unknownClass = (labels: CauseLabels): Evidence =>
  operatedEvidence(
    labels,
    (resource, claims) =>
      resource.workloads.flatMap((workload) => {
        const part = partOf(resource, workload);
        const asked = resource.parts[part ?? ""]?.["storageClassName"];
        const usual = usualValue(resource, part ?? "", ({ storageClassName }) => storageClassName);
        const waits = [...claims.matchAll(/^(\S+)-\d+ (\S+)$/gm)].some(
          ([, claim = "", name]) => claim.endsWith(`-${workload}`) && name === asked,
        );
        if (!waits || typeof asked !== "string") return [];
        return [
          {
            workload,
            field: "storageClassName",
            wrong: asked,
            right: typeof usual === "string" ? usual : "none",
          },
        ];
      }),
    waiting,
  );
