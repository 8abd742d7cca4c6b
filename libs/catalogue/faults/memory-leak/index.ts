import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  isLoaded,
  isRolledOut,
  kinds,
  offeredWorkloads,
  runtimeConfigMap,
  targetName,
} from "@microremed/catalogue";
import { keptRequests } from "./evidence.ts";
import { parameters } from "./parameters.ts";
import { keeping, keptKib, mayKeep, nothing, programObjects, variable } from "./program.ts";
import { shortcuts } from "./remedies.ts";

const labels: CauseLabels = {
  mechanism: "faulty-code",
  systemLevel: "Application",
  faultType: "Misconfiguration",
};
/** Calls of the workload for each request of a user: with fewer its memory grows in jumps. */
const leastPerRequest = 0.3;

/** A variable lets a program keep something of each request in memory: it grows to its limit, is killed, and grows again. */
export default defineFault({
  name: "memory-leak",
  title: "Slow memory leak",
  description: "memory-leak: the service's memory grows until it is killed, again and again",
  parameters,
  strengths: [{ name: "24 MiB a minute", parameters: { miPerMinute: 24 } }],
  drawn: { miPerMinute: (rng) => 30 + rng.int(171) },
  symptom: "growth",
  recovery: ["ready", "serving", "growth"],
  rightActions: [],
  ...offeredWorkloads((place, environment) => {
    const { name, workload } = place;
    if (workload.kind !== "Deployment" || !mayKeep(place)) return `no program of ${name} reads ${variable}`;
    return isLoaded(environment, name, leastPerRequest)
      ? undefined
      : `requests of users seldom reach ${name}`;
  }),
  setting: programObjects,
  isSettled: (context) => isRolledOut(context, targetName(context)),
  inject: (context) => keeping.start(context, keptKib(context)),
  async status(context) {
    const value = (await keeping.read(context)) ?? nothing;
    const isOn = value !== nothing;
    return {
      present: isOn,
      injected: isOn,
      pods: [],
      expiresAt: null,
      note: `${targetName(context)} keeps ${value} KiB of each request`,
    };
  },
  remove: (context) => keeping.start(context, nothing),
  truth: (context) => {
    const object = { kind: kinds.configMap.kind, name: runtimeConfigMap(context) };
    const wrong = keptKib(context);
    return {
      objects: [{ ...object, field: `data.${variable}`, wrong, right: nothing }],
      affected: [object, ...affectedObjects(context)],
      ...labels,
      explanation: `${variable} is ${wrong} in the ConfigMap ${object.name}, so ${context.target} keeps ${wrong} KiB of each request in memory until it is killed at its limit`,
    };
  },
  repairs: keeping.repairs,
  runbook: keeping.runbook("Keep nothing of the requests of"),
  evidence: keptRequests(labels),
  shortcuts,
});
