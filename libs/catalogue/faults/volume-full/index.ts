import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  drawnWord,
  kinds,
  type Runbook,
  shellWord,
  targetName,
  workloadsWhere,
} from "@microremed/catalogue";
import { fullVolumeEvidence } from "./evidence.ts";
import { parameters } from "./parameters.ts";
import { emptyFile, removeAndRestart, removeFile, shortcuts } from "./remedies.ts";
import { claimName, fill, folder, inStore, isKept, pathOf, readStore, storeObjects } from "./store.ts";

const labels: CauseLabels = {
  mechanism: "resources-taken",
  systemLevel: "Operating System",
  faultType: "Operation Error",
};

const removeFound: Runbook = {
  observe: ({ namespace, target }) => `kubectl -n ${namespace} exec deployment/${target} -- df -h`,
  act: ({ namespace, target, finding }) => {
    const [, path] = /^(\/\S+)$/.exec(finding?.wrong ?? "") ?? [];
    const script =
      path === undefined
        ? `rm $(find ${folder} -type f -size +1000k ! -path "*/appendonlydir/*" ! -name dump.rdb)`
        : `rm ${path}`;
    return {
      title: `Remove the file that fills the volume of ${target}`,
      commands: [`kubectl -n ${namespace} exec deployment/${target} -- sh -c ${shellWord(script)}`],
    };
  },
};

/** A file that was left behind fills the volume of a cache that keeps its writes: it answers, and takes no writes. */
export default defineFault({
  name: "volume-full",
  title: "Full disk on a claim",
  description: "volume-full: the cache takes no writes, as it cannot keep them",
  parameters,
  strengths: [
    { name: "64 MiB", parameters: { size: "64Mi" } },
    { name: "1 GiB", parameters: { size: "1024Mi" } },
  ],
  drawn: {
    size: (rng) => `${64 + rng.int(449)}Mi`,
    file: (rng) =>
      rng.pick([
        () => `core.${2 + rng.int(90_000)}`,
        () => `temp-${2 + rng.int(90_000)}.rdb`,
        () => `temp-rewriteaof-bg-${2 + rng.int(90_000)}.aof`,
        () => `${drawnWord(rng)}-${drawnWord(rng)}.${rng.pick(["rdb", "tar", "dump", "bak", "log"])}`,
      ])(),
  },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...workloadsWhere(({ name, workload, container }) =>
    workload.kind === "Deployment" && container.behaviour.runtime === "redis"
      ? undefined
      : `${name} is no Deployment of Redis`,
  ),
  setting: storeObjects,
  isSettled: isKept,
  async inject(context) {
    const { hasFile, isFull } = await readStore(context);
    if (!(hasFile && isFull)) await fill(context);
  },
  async status(context) {
    const { hasFile, isFull } = await readStore(context);
    return {
      present: hasFile,
      injected: hasFile && isFull,
      pods: [],
      expiresAt: null,
      note: `${pathOf(context)} is ${hasFile ? "there" : "not there"}; ${targetName(context)} ${isFull ? "cannot keep" : "keeps"} its writes`,
    };
  },
  async remove(context) {
    await inStore(context, `rm -f ${pathOf(context)}`);
  },
  truth: (context) => {
    const claim = { kind: kinds.persistentVolumeClaim.kind, name: claimName(context) };
    return {
      objects: [{ ...claim, field: "", wrong: "a file fills it", right: "there is room on it" }],
      affected: [claim, ...affectedObjects(context)],
      ...labels,
      explanation: `the file ${pathOf(context)} fills the volume of ${context.target}, which cannot keep its writes any more and refuses them`,
    };
  },
  repairs: [removeFile, emptyFile, removeAndRestart],
  runbook: removeFound,
  evidence: fullVolumeEvidence(labels),
  shortcuts,
});
