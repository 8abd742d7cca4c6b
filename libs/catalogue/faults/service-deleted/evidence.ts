import {
  type CauseLabels,
  commonCalls,
  type Evidence,
  evidenceBy,
  shellCall,
  shownServices,
} from "@microremed/catalogue";

/** Pods that are asked for their environment. */
export const mostPods = 24;
/** How many of them must have answered. */
const leastAnswers = 4;

/** Programs find in their environment the Services that there were when they were started. */
const remembered = shellCall(
  `n=0; for p in $(kubectl get pods --no-headers | grep Running | awk '{ print $1 }' | head -n ${mostPods}); do e=$(kubectl exec "$p" -- env 2>/dev/null | grep '^[A-Z0-9_]*_SERVICE_HOST=[0-9.]*$'); if [ -n "$e" ]; then echo "$e"; n=$((n + 1)); fi; if [ $n -ge ${leastAnswers} ]; then break; fi; done | sort -u`,
);

/** A Service that programs were started with is not there any more. */
export const missingService = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.topology, remembered], ([topology = "", variables = ""]) => {
    const there = new Set(shownServices(topology).map(({ name }) => asVariable(name)));
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
            workload: workloadFor(name, topology),
            seen: "cause" as const,
            ...labels,
          };
        });
  });

const asVariable = (service: string): string => service.toUpperCase().replaceAll("-", "_");

/** The workload of the Service's name, or the one whose name begins it. */
function workloadFor(service: string, topology: string): string {
  const all = [...topology.matchAll(/\b(?:deployment|statefulset|daemonset)\/([a-z0-9.-]+)/g)];
  const fitting = all.map(([, name = ""]) => name).filter((name) => `${service}-`.startsWith(`${name}-`));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? service;
}
