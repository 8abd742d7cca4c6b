import {
  type CauseLabels,
  type Evidence,
  evidenceBy,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

/** A line for each claim that waits for a volume which it names. */
const waitingClaims = shellCall(
  `kubectl get pvc -o jsonpath='{range .items[*]}{.status.phase} {.metadata.name} {.spec.volumeName}{"\\n"}{end}' | sed -n 's/^Pending //p'`,
);

const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
/** A line for each pod: its owner, and the claims that it mounts. */
const mounts = shellCall(
  `kubectl get pods -o jsonpath='{range .items[*]}${owner} {.spec.volumes[*].persistentVolumeClaim.claimName}{"\\n"}{end}'`,
);

/** Claims that are not bound and ask for a volume by its name, with the workload whose pods wait for them. */
export const absentVolume = (labels: CauseLabels): Evidence =>
  evidenceBy([waitingClaims, mounts], ([claims = "", pods = ""]) =>
    [...claims.matchAll(/^([a-z0-9.-]+) ([a-z0-9.-]+)$/gm)].flatMap(([, claim = "", volume = ""]) => {
      const line = pods.split("\n").find((one) => one.split(" ").slice(1).includes(claim));
      const workload = workloadOfOwner(line?.split(" ")[0] ?? "");
      if (!workload) return [];
      return [
        {
          object: { kind: "PersistentVolumeClaim", name: claim },
          field: "spec.volumeName",
          wrong: volume,
          right: "none",
          workload: workload.name,
          seen: "cause" as const,
          ...labels,
        },
      ];
    }),
  );
