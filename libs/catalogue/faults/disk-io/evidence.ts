import {
  actsOn,
  type CauseLabels,
  type Evidence,
  type EvidenceCall,
  type ObjectRef,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

/** Containers whose mounts are tried, and mounts of each. */
const mostContainers = 9;
/** Times that a file is opened: a fault that hits half of them is missed once in 256 times. */
const opens = 8;
/** To open a file that is not there takes no time, s. */
const slowSeconds = 2;

const mounts =
  '{range .items[*]}{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name} {.metadata.name}{range .spec.containers[*]} {.name}={.volumeMounts[*].mountPath}{end}{"\\n"}{end}';
/** A line for each pod with volumes of its own: the owner, the pod, its containers with their mounts. */
const listMounts = shellCall(
  `kubectl get pods -o jsonpath='${mounts}' | sed 's,/var/run/secrets/kubernetes.io/serviceaccount,,g; s/  */ /g; s/ $//' | grep '=/\\| /'`,
);

interface Mounted {
  readonly workload: ObjectRef;
  readonly pod: string;
  readonly container: string;
  readonly paths: readonly string[];
}

/** Opens files in every volume, a call for each container, and sees how long that takes. */
export const slowMounts = (labels: CauseLabels): Evidence => ({
  next([list, ...tried]) {
    if (list === undefined) return listMounts;
    const mounted = mountedIn(list).slice(0, mostContainers);
    const next = mounted[tried.length];
    if (next) return openCall(next);
    const slow = mounted.filter((_, i) => isSlow(tried[i] ?? ""));
    return slow.map(({ workload }) => actsOn(workload, labels));
  },
});

function mountedIn(list: string): Mounted[] {
  return [...list.matchAll(/^([A-Z]\S+) ([a-z0-9][a-z0-9.-]*)((?: \S+)+) *$/gm)].flatMap(
    ([, owner = "", pod = "", rest = ""]) => {
      const workload = workloadOfOwner(owner);
      if (!workload) return [];
      return [...rest.matchAll(/ ([a-z0-9-]+)=((?:\/\S*(?: (?=\/))?)+)/g)].map(
        ([, container = "", paths = ""]) => ({
          workload,
          pod,
          container,
          paths: paths.split(" ").filter((path) => /^\/[A-Za-z0-9._/-]+$/.test(path)),
        }),
      );
    },
  );
}

/** A call that is stopped has waited for a file too. */
const isSlow = (answer: string): boolean => /slow after|still running|timed out/.test(answer);

function openCall({ pod, container, paths }: Mounted): EvidenceCall {
  const attempt = `cat $m/.nothing 2>/dev/null; s=$(( $(date +%s) - a )); if [ $s -ge ${slowSeconds} ]; then echo "slow after $s s"; break 2; fi`;
  const times = Array.from({ length: opens }, (_, i) => i + 1).join(" ");
  return shellCall(
    `kubectl exec ${pod} -c ${container} -- sh -c 'for m in ${paths.join(" ")}; do for i in ${times}; do a=$(date +%s); ${attempt}; done; done; echo tried'`,
  );
}
