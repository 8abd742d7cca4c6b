import { awaitRollout, kubectl, podSelector, type Remedy, replaceStuckPods, workloadPath } from "./remedy.ts";

/** What repairs a fault of Chaos Mesh that sits on the pods of a workload. `kind`: of its object, in lower case. */
export function chaosRepairs(kind: string): readonly Remedy[] {
  return [removeObjects(kind), restart, reschedule, scaleOutThenReplace];
}

const removeObjects = (kind: string): Remedy => ({
  name: "remove-cause",
  doc: "the expert's fix: deletes the chaos object",
  commands: (context) => [`${kubectl(context)} delete ${kind} --all --timeout=60s`],
});

const restart: Remedy = {
  name: "restart",
  doc: "rolls the workload over: the fault is on the old pods",
  commands: (context) => [
    `${kubectl(context)} rollout restart ${workloadPath(context)}`,
    ...replaceStuckPods(context),
    awaitRollout(context),
  ],
};

const reschedule: Remedy = {
  name: "reschedule",
  doc: "deletes the pods, which are recreated where there is room",
  commands: (context) => [`${kubectl(context)} delete pod -l ${podSelector(context)} --wait=false`],
};

const scaleOutThenReplace: Remedy = {
  name: "scale-out-then-replace",
  doc: "adds a replica first, replaces the old ones and scales back, so that at least one always serves",
  applies: ({ workload }) => workload.kind === "Deployment",
  commands: (context) => {
    const { replicas } = context.workload;
    const scale = `${kubectl(context)} scale ${workloadPath(context)}`;
    const pods = `${kubectl(context)} get pods -l ${podSelector(context)} -o name`;
    return [
      `old=$(echo $(${pods}))`,
      `${scale} --replicas=${replicas + 1}`,
      // The old ones may never get ready: a rollout would be waited for until the fault has ended by itself.
      "sleep 1",
      `for pod in $(${pods}); do`,
      `  case " $old " in *" $pod "*) ;; *) ${kubectl(context)} wait --for=condition=Ready $pod --timeout=20s || true ;; esac`,
      "done",
      `${kubectl(context)} delete $old --timeout=20s || true`,
      awaitRollout(context),
      `${scale} --replicas=${replicas}`,
    ];
  },
};
