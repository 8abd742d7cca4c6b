import {
  type CauseLabels,
  type Evidence,
  printedBy,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

const claims = "{range .spec.volumes[*]}={.persistentVolumeClaim.claimName}{end}";
/** `<pod>=<kind>/<name of its owner>=<claim>` of each pod that mounts a claim. */
const mounting = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}={.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}${claims}{"\\n"}{end}' | awk -F= '{ for (i = 3; i <= NF; i++) if ($i != "") { print $1 "=" $2 "=" $i; break } }'`;
/** A file system with less room, KiB, is full. */
const hardlyAny = 64;
/** The same after a `V` each, with the places of the file systems in it that are full. */
const fullVolumes = shellCall(
  `for t in $(${mounting}); do echo "V $t"; kubectl exec "\${t%%=*}" -- df -P 2>/dev/null | awk '$4 ~ /^[0-9]+$/ && $4 < ${hardlyAny} && $6 != "/" { print $6 }'; done`,
);
/** Volumes that are searched. */
const mostVolumes = 8;

interface Full {
  readonly pod: string;
  readonly owner: string;
  readonly claim: string;
  readonly mount: string;
}

const fullIn = (text: string): Full[] =>
  [...text.matchAll(/^V ([a-z0-9.-]+)=(\w+\/[a-z0-9.-]+)=([a-z0-9.-]+)\n(\/[\w./-]+)$/gm)]
    .slice(0, mostVolumes)
    .map(([, pod = "", owner = "", claim = "", mount = ""]) => ({ pod, owner, claim, mount }));

/** `<claim> <size> <path>` of each large file. */
const filesOn = (volumes: readonly Full[]) =>
  shellCall(
    volumes
      .map(
        ({ pod, claim, mount }) =>
          `kubectl exec ${pod} -- ls -lR ${mount} | awk '/:$/ { d = $1; sub(/:$/, "", d) } $5 > 1000000 { print "${claim}", $5, d "/" $NF }'`,
      )
      .join("; "),
  );

/** Volumes that are full, and the largest file on each. */
export const fullVolumeEvidence = (labels: CauseLabels): Evidence => ({
  next([listed, files]) {
    if (listed === undefined) return fullVolumes;
    const volumes = fullIn(printedBy(listed));
    if (volumes.length === 0) return [];
    if (files === undefined) return filesOn(volumes);
    const found = [...printedBy(files).matchAll(/^(\S+) (\d+) (\/\S+)$/gm)];
    return volumes.flatMap(({ owner, claim }) => {
      const [largest] = found
        .filter(([, of]) => of === claim)
        .toSorted((a, b) => Number(b[2]) - Number(a[2]));
      const workload = workloadOfOwner(owner);
      if (!largest || !workload) return [];
      return [
        {
          object: { kind: "PersistentVolumeClaim", name: claim },
          field: "",
          wrong: largest[3] ?? "",
          right: "there is room on it",
          workload: workload.name,
          seen: "cause" as const,
          ...labels,
        },
      ];
    });
  },
});
