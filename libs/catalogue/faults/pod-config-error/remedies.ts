import {
  awaitRollout,
  containerOf,
  containerPath,
  jsonPatch,
  kubectl,
  type Remedy,
  type RemedyContext,
  replaceStuckPods,
  workloadPath,
} from "@microremed/catalogue";

const times = (quantity: string | undefined, factor: number): string =>
  (quantity ?? "").replace(/^[\d.]+/, (digits) => String(Number(digits) * factor));

function setLimits(context: RemedyContext, factor: number): string[] {
  const { limits = {}, requests = {} } = containerOf(context)?.resources ?? {};
  const asked = Object.entries(requests).map(([name, all]) => `${name}=${all}`);
  const allowed = Object.entries(limits).map(([name, quantity]) => `${name}=${times(quantity, factor)}`);
  const flags = [
    ...(allowed.length > 0 ? [`--limits=${allowed.join(",")}`] : []),
    ...(asked.length > 0 ? [`--requests=${asked.join(",")}`] : []),
  ];
  const set = `${kubectl(context)} set resources ${workloadPath(context)} -c ${context.container} ${flags.join(" ")}`;
  return [set, ...replaceStuckPods(context), awaitRollout(context)];
}

export const undo: Remedy = {
  name: "undo",
  doc: "the expert's fix: goes back to the revision before the wrong one",
  commands: (context) => [
    `${kubectl(context)} rollout undo ${workloadPath(context)}`,
    ...replaceStuckPods(context),
    awaitRollout(context),
  ],
};

export const setResources: Remedy = {
  name: "set-resources",
  doc: "sets requests and limits to what they were",
  commands: (context) => setLimits(context, 1),
};

export const generousResources: Remedy = {
  name: "generous-resources",
  doc: "sets the limits to twice what they were: not as before, and enough",
  commands: (context) => setLimits(context, 2),
};

export const raiseALittle: Remedy = {
  name: "raise-a-little",
  doc: "raises the wrong limits to where an idle program seems healthy, below what the workload requests",
  commands: (context) => [
    jsonPatch(context, [
      {
        op: "replace",
        path: `${containerPath(context)}/resources`,
        value: { requests: { cpu: "1m", memory: "50Mi" }, limits: { cpu: "40m", memory: "400Mi" } },
      },
    ]),
    awaitRollout(context),
  ],
};
