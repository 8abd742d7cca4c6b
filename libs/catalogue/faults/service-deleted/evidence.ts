import { type CauseLabels, type Evidence, evidenceBy, shellCall } from "@microremed/catalogue";

/** Pods that are asked for their environment. */
export const mostPods = 24;
/** How many of them must have answered. */
const leastAnswers = 4;

/** Programs find in their environment the Services that there were when they were started. */
const remembered = shellCall(
  `n=0; for p in $(kubectl get pods --no-headers | grep Running | awk '{ print $1 }' | head -n ${mostPods}); do e=$(kubectl exec "$p" -- env 2>/dev/null | grep '^[A-Z0-9_]*_SERVICE_HOST=[0-9.]*$'); if [ -n "$e" ]; then echo "$e"; n=$((n + 1)); fi; if [ $n -ge ${leastAnswers} ]; then break; fi; done | sort -u`,
);

/** All of them: what an answer that is cut leaves out would seem to be gone. */
const present = shellCall("kubectl get services,deployments,statefulsets,daemonsets -o name");

/** A Service that programs were started with is not there any more. */
export const missingService = (labels: CauseLabels): Evidence =>
  evidenceBy([present, remembered], ([names = "", variables = ""]) => {
    const there = new Set([...names.matchAll(/^service\/(\S+)$/gm)].map(([, name = ""]) => asVariable(name)));
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
  const all = [...names.matchAll(/^(?:deployment|statefulset|daemonset)\.apps\/(\S+)$/gm)];
  const fitting = all.map(([, name = ""]) => name).filter((name) => `${service}-`.startsWith(`${name}-`));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? service;
}
