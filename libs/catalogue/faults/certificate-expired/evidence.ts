import {
  type CauseLabels,
  changesByObject,
  commonCalls,
  type Evidence,
  evidenceBy,
  shellCall,
  workloadInName,
} from "@microremed/catalogue";

const restarted = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.status.containerStatuses[0].restartCount}={.status.containerStatuses[0].ready}={.spec.containers[0].name}={range .spec.volumes[*]}{.secret.secretName}+{end}{"\\n"}{end}' | grep =false=`;

/** A line for each pod that is not ready and whose last words were of a certificate that has expired: its name and its Secrets. */
const expiredCall = shellCall(
  `for s in $(${restarted}); do p=\${s%%=*}; if kubectl logs "$p" --tail=20 2>/dev/null | grep -q "certificate has expired" || kubectl logs "$p" --previous --tail=20 2>/dev/null | grep -q "certificate has expired"; then echo "E $p \${s##*=}"; fi; done`,
);

/** A program ends because its certificate has expired, and a Secret that its pod mounts was changed lately. */
export const expiredCertificate = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes, expiredCall], ([log = "", ended = ""]) => {
    const changed = changesByObject(log).flatMap(([{ object, field }]) =>
      object.kind === "Secret" ? [{ object, field }] : [],
    );
    return [...ended.matchAll(/^E (\S+) (\S*)$/gm)].flatMap(([, pod = "", mounted = ""]) => {
      const secret = changed.find(({ object }) => mounted.split("+").includes(object.name));
      if (!secret) return [];
      return [
        {
          ...secret,
          wrong: "an expired certificate",
          right: "a valid certificate",
          workload: workloadInName(pod),
          seen: "cause" as const,
          ...labels,
        },
      ];
    });
  });
