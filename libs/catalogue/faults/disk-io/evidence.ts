import {
  actsOn,
  type CauseLabels,
  type Evidence,
  type EvidenceCall,
  longCall,
  type ObjectRef,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";

/** Pods whose mounts are tried; and pods that are tried one by one, where one is slow. */
const mostPods = 100;
const mostAlone = 16;
/** Times that a file is opened: a fault that hits half of them is missed once in 256 times. */
const opens = 8;
/** To open a file that is not there takes no time, s. */
const slowSeconds = 2;

const volumes = "{range .spec.volumes[*]}{.name}={.configMap.name}{.secret.secretName},{end}";
const mounts = "{range .spec.containers[*]} {.name}={range .volumeMounts[*]}{.name}:{.mountPath},{end}{end}";
const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
/** A line for each pod with volumes: the owner, the pod, its volumes with what they are made of, its containers with their mounts. */
const listMounts = shellCall(
  `kubectl get pods -o jsonpath='{range .items[*]}${owner} {.metadata.name} ${volumes}${mounts}{"\\n"}{end}' | sed 's#[^ =,]*:/var/run/secrets/kubernetes.io/serviceaccount,##g' | grep ':/'`,
);

interface MountedPod {
  readonly workload: ObjectRef;
  readonly pod: string;
  /** `<container>:<path>,<path>`, for each container with volumes. */
  readonly places: readonly string[];
}

/**
 * Opens files in every volume and sees how long that takes: in all pods in one call, which is quick where no volume is slow;
 * where one is, in calls for some pods each.
 */
export const slowMounts = (labels: CauseLabels): Evidence => ({
  next([list, all, ...tried]) {
    if (list === undefined) return listMounts;
    const pods = mountedIn(list).slice(0, mostPods);
    if (pods.length === 0) return [];
    if (all === undefined) return openFiles(pods);
    if (all.includes(allQuick)) return [];
    const size = Math.ceil(pods.length / mostAlone);
    const some = (i: number): MountedPod[] => pods.slice(i * size, (i + 1) * size);
    const slow = tried.findIndex(isSlow);
    if (slow < 0) return some(tried.length).length > 0 ? openFiles(some(tried.length)) : [];
    const named = some(slow).filter(({ pod }) => tried[slow]?.includes(`slow: ${pod}`));
    return (named.length > 0 ? named : some(slow)).map(({ workload }) => actsOn(workload, labels));
  },
});

/** ConfigMaps and Secrets are mounted from the node's memory, and no program waits for them. */
function mountedIn(list: string): MountedPod[] {
  const line = /^([A-Z]\S+) ([a-z0-9][a-z0-9.-]*) (\S*)((?: \S+)+)$/gm;
  return [...list.matchAll(line)].flatMap(([, owner = "", pod = "", made = "", rest = ""]) => {
    const workload = workloadOfOwner(owner);
    const written = new Set([...made.matchAll(/([^,=]+)=[^,]/g)].map(([, name]) => name));
    const places = [...rest.matchAll(/ ([a-z0-9-]+)=(\S+)/g)].flatMap(([, container = "", all = ""]) => {
      const paths = [...all.matchAll(/([^,:]+):(\/[A-Za-z0-9._/-]+),/g)];
      const known = paths.flatMap(([, name, path = ""]) => (written.has(name) ? [] : [path]));
      return known.length === 0 ? [] : [`${container}:${known.join(",")}`];
    });
    return workload && places.length > 0 ? [{ workload, pod, places }] : [];
  });
}

/** A call that is stopped has waited for a file too. */
const isSlow = (answer: string): boolean => /slow: |still running|stopped after/.test(answer);
const allQuick = "all volumes are quick";

/** Ends at the first file that is slow. */
function openFiles(pods: readonly MountedPod[]): EvidenceCall {
  const places = pods.flatMap(({ pod, places: own }) => own.map((place) => `${pod}:${place}`)).join(" ");
  const times = Array.from({ length: opens }, (_, i) => i + 1).join(" ");
  const open = `a=$(date +%s); cat $m/.nothing 2>/dev/null; b=$(date +%s); if [ $((b - a)) -ge ${slowSeconds} ]; then exit 3; fi`;
  const inside = `for m in "$@"; do for i in ${times}; do ${open}; done; done; true`;
  const split = `p=\${t%%:*}; r=\${t#*:}; c=\${r%%:*}; paths=$(echo \${r#*:} | tr , " ")`;
  return longCall(
    `for t in ${places}; do ${split}; kubectl exec "$p" -c "$c" -- sh -c '${inside}' sh $paths; if [ $? = 3 ]; then echo "slow: $p"; exit 0; fi; done; echo "${allQuick}"`,
  );
}
