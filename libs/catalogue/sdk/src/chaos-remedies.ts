import { awaitRollout, kubectl, podSelector, type Remedy, replaceStuckPods, workloadPath } from "./remedy.ts";

/** What repairs a fault of Chaos Mesh that sits on the pods of a workload. `kind`: of its object, in lower case. */
export function chaosRepairs(kind: string): readonly Remedy[] {
  return [removeObjects(kind), restart, reschedule, scaleOutThenReplace];
}

const removeObjects = (kind: string): Remedy => ({
  name: "remove-cause",
  doc: "the expert's fix: deletes the chaos object",
  commands: (patient) => [`${kubectl(patient)} delete ${kind} --all --timeout=60s`],
});

const restart: Remedy = {
  name: "restart",
  doc: "rolls the workload over: the fault is on the old pods",
  commands: (patient) => [
    `${kubectl(patient)} rollout restart ${workloadPath(patient)}`,
    ...replaceStuckPods(patient),
    awaitRollout(patient),
  ],
};

const reschedule: Remedy = {
  name: "reschedule",
  doc: "deletes the pods, which are recreated where there is room",
  commands: (patient) => [`${kubectl(patient)} delete pod -l ${podSelector(patient)} --wait=false`],
};

const scaleOutThenReplace: Remedy = {
  name: "scale-out-then-replace",
  doc: "adds a replica first, replaces the old ones and scales back, so that at least one always serves",
  applies: ({ workload }) => workload.kind === "Deployment",
  commands: (patient) => {
    const { replicas } = patient.workload;
    const scale = `${kubectl(patient)} scale ${workloadPath(patient)}`;
    const pods = `${kubectl(patient)} get pods -l ${podSelector(patient)} -o name`;
    return [
      `old=$(echo $(${pods}))`,
      `${scale} --replicas=${replicas + 1}`,
      // The old ones may never get ready: a rollout would be waited for until the fault has ended by itself.
      "sleep 1",
      `for pod in $(${pods}); do`,
      `  case " $old " in *" $pod "*) ;; *) ${kubectl(patient)} wait --for=condition=Ready $pod --timeout=20s || true ;; esac`,
      "done",
      `${kubectl(patient)} delete $old --timeout=20s || true`,
      awaitRollout(patient),
      `${scale} --replicas=${replicas}`,
    ];
  },
};
