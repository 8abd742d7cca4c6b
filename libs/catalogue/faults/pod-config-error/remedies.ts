import {
  awaitRollout,
  containerOf,
  containerPath,
  jsonPatch,
  kubectl,
  type Patient,
  type Remedy,
  replaceStuckPods,
  workloadPath,
} from "@microremed/catalogue";

const times = (quantity: string | undefined, factor: number): string =>
  (quantity ?? "").replace(/^[\d.]+/, (digits) => String(Number(digits) * factor));

function setLimits(patient: Patient, factor: number): string[] {
  const { limits = {}, requests = {} } = containerOf(patient)?.resources ?? {};
  const asked = Object.entries(requests).map(([name, all]) => `${name}=${all}`);
  const allowed = Object.entries(limits).map(([name, quantity]) => `${name}=${times(quantity, factor)}`);
  const flags = [
    ...(allowed.length > 0 ? [`--limits=${allowed.join(",")}`] : []),
    ...(asked.length > 0 ? [`--requests=${asked.join(",")}`] : []),
  ];
  const set = `${kubectl(patient)} set resources ${workloadPath(patient)} -c ${patient.container} ${flags.join(" ")}`;
  return [set, ...replaceStuckPods(patient), awaitRollout(patient)];
}

export const undo: Remedy = {
  name: "undo",
  doc: "the expert's fix: goes back to the revision before the wrong one",
  commands: (patient) => [
    `${kubectl(patient)} rollout undo ${workloadPath(patient)}`,
    ...replaceStuckPods(patient),
    awaitRollout(patient),
  ],
};

export const setResources: Remedy = {
  name: "set-resources",
  doc: "sets requests and limits to what they were",
  commands: (patient) => setLimits(patient, 1),
};

export const generousResources: Remedy = {
  name: "generous-resources",
  doc: "sets the limits to twice what they were: not as before, and enough",
  commands: (patient) => setLimits(patient, 2),
};

export const raiseALittle: Remedy = {
  name: "raise-a-little",
  doc: "raises the wrong limits to where an idle program seems healthy, below what the workload requests",
  commands: (patient) => [
    jsonPatch(patient, [
      {
        op: "replace",
        path: `${containerPath(patient)}/resources`,
        value: { requests: { cpu: "1m", memory: "50Mi" }, limits: { cpu: "40m", memory: "400Mi" } },
      },
    ]),
    awaitRollout(patient),
  ],
};
