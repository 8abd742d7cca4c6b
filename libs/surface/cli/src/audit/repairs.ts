import { awaitRollout, kubectl, type Patient, type Remedy, workloadOf } from "./remedy.ts";

const isChaos = ({ fault }: Patient): boolean => fault.cause !== undefined;
const isConfig = ({ fault }: Patient): boolean => fault.name === "pod-config-error";

const setResources = (patient: Patient, factor: number): string[] => {
  const container = patient.workload.containers[0];
  const limits = Object.entries(container?.resources.limits ?? {}).map(
    ([name, quantity]) => `${name}=${times(quantity, factor)}`,
  );
  const requests = Object.entries(container?.resources.requests ?? {}).map(([name, all]) => `${name}=${all}`);
  const flags = [
    ...(limits.length > 0 ? [`--limits=${limits.join(",")}`] : []),
    ...(requests.length > 0 ? [`--requests=${requests.join(",")}`] : []),
  ];
  const set = `${kubectl(patient)} set resources ${workloadOf(patient)} -c ${container?.name} ${flags.join(" ")}`;
  return [set, ...replaceStuckPods(patient), awaitRollout(patient)];
};

/** A StatefulSet waits for a broken pod to become Ready before it replaces it. */
const replaceStuckPods = (patient: Patient): string[] =>
  patient.workload.kind === "StatefulSet"
    ? [`${kubectl(patient)} delete pod -l app=${patient.target} --wait=false`]
    : [];

const times = (quantity: string | undefined, factor: number): string =>
  (quantity ?? "").replace(/^[\d.]+/, (digits) => String(Number(digits) * factor));

/** What repairs a failure, each in its own way: a judge that says no is wrong. */
export const repairs: readonly Remedy[] = [
  {
    name: "remove-cause",
    kind: "repair",
    doc: "the expert's fix: deletes the chaos object",
    applies: isChaos,
    script: (patient) => {
      const kind = patient.fault.cause?.kind.toLowerCase();
      return [`${kubectl(patient)} delete ${kind} --all --timeout=60s`];
    },
  },
  {
    name: "restart",
    kind: "repair",
    doc: "rolls the workload over: the fault is on the old pods",
    applies: isChaos,
    script: (patient) => [
      `${kubectl(patient)} rollout restart ${workloadOf(patient)}`,
      awaitRollout(patient),
    ],
  },
  {
    name: "reschedule",
    kind: "repair",
    doc: "deletes the pods, which are made anew where there is room",
    applies: isChaos,
    script: (patient) => [`${kubectl(patient)} delete pod -l app=${patient.target} --wait=false`],
  },
  {
    name: "scale-out-then-replace",
    kind: "repair",
    doc: "adds a replica first, replaces the old ones and scales back, so that somebody always serves",
    applies: (patient) => isChaos(patient) && patient.workload.kind === "Deployment",
    script: (patient) => {
      const { replicas } = patient.workload;
      const scale = `${kubectl(patient)} scale ${workloadOf(patient)}`;
      return [
        `old=$(echo $(${kubectl(patient)} get pods -l app=${patient.target} -o name))`,
        `${scale} --replicas=${replicas + 1}`,
        // The old ones may never get ready: a rollout would be waited for until the fault has ended by itself.
        "sleep 1",
        `for pod in $(${kubectl(patient)} get pods -l app=${patient.target} -o name); do`,
        `  case " $old " in *" $pod "*) ;; *) ${kubectl(patient)} wait --for=condition=Ready $pod --timeout=20s || true ;; esac`,
        "done",
        `${kubectl(patient)} delete $old --timeout=20s || true`,
        awaitRollout(patient),
        `${scale} --replicas=${replicas}`,
      ];
    },
  },
  {
    name: "undo",
    kind: "repair",
    doc: "the expert's fix: goes back to the revision before the wrong one",
    applies: isConfig,
    script: (patient) => [
      `${kubectl(patient)} rollout undo ${workloadOf(patient)}`,
      ...replaceStuckPods(patient),
      awaitRollout(patient),
    ],
  },
  {
    name: "set-resources",
    kind: "repair",
    doc: "sets requests and limits to what they were",
    applies: isConfig,
    script: (patient) => setResources(patient, 1),
  },
  {
    name: "generous-resources",
    kind: "repair",
    doc: "sets the limits to twice what they were: not as before, and enough",
    applies: isConfig,
    script: (patient) => setResources(patient, 2),
  },
];
