import { type CauseLabels, type Evidence, evidenceBy, readInside, shellCall } from "@microremed/catalogue";

/** All of them: what an answer that is cut leaves out would seem to be gone. */
const present = shellCall(
  `kubectl get services,deployments,statefulsets,daemonsets -o jsonpath='{range .items[*]}{.kind}/{.metadata.name}{"\\n"}{end}'`,
);

/** A Service that programs were started with is not there any more: it is still in their environment. */
export const missingService = (labels: CauseLabels): Evidence =>
  evidenceBy([present, readInside], ([names = "", variables = ""]) => {
    const there = new Set([...names.matchAll(/^Service\/(\S+)$/gm)].map(([, name = ""]) => asVariable(name)));
    const known = [...variables.matchAll(/^([A-Z0-9_]+)_SERVICE_HOST=\d/gm)].map(([, name = ""]) => name);
    const gone = [...new Set(known)].filter((name) => name !== "KUBERNETES" && !there.has(name));
    return there.size === 0
      ? []
      : gone.map((variable) => {
          const name = variable.toLowerCase().replaceAll("_", "-");
          return {
            object: { kind: "Service", name },
            field: "",
            wrong: "no such object",
            right: "as it was declared",
            workload: workloadFor(name, names),
            seen: "cause" as const,
            ...labels,
          };
        });
  });

const asVariable = (service: string): string => service.toUpperCase().replaceAll("-", "_");

/** The workload of the Service's name, or the one whose name begins it. */
function workloadFor(service: string, names: string): string {
  const all = [...names.matchAll(/^(?:Deployment|StatefulSet|DaemonSet)\/(\S+)$/gm)];
  const fitting = all.map(([, name = ""]) => name).filter((name) => `${service}-`.startsWith(`${name}-`));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? service;
}
