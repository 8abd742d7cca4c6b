import { tasksOf } from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { terminal } from "@microremed/core";
import { answeredRules, mitigationRules } from "@microremed/episode/testing";
import type { Catalog } from "../service.types.ts";

const randomOf = (failures: unknown): number =>
  typeof failures === "object" && failures !== null && "random" in failures ? Number(failures.random) : 20;

const plans: readonly string[] = ["easy@1", "cpu-stress"];

/** A product that knows one environment and three failures. */
export const aCatalog: Catalog = {
  environments: ["shop"],
  methods: ["ThinkRemed", "SoloGen"],
  failures: ["cpu-stress", "no-target", "unpublished"],
  isPlan: (name) => plans.includes(name),
  plans: () => plans,
  suites: ["range@1", "range@2"],
  clusters: ["c1", "c2"],
  policies: ["guarded", "open"],
  plan: ({ failures, model: models }) => {
    const names = Array.isArray(failures) ? failures : undefined;
    if (names?.includes("no-target")) throw terminal("invalid-request", "no-target has no target in shop");
    const total = (names?.length ?? randomOf(failures)) * models.length;
    const episode = (index: number) => {
      const number = Math.floor(index / models.length);
      const failure = names?.[number] ?? "cpu-stress";
      const model = models[index % models.length] ?? "";
      return aPlannedEpisode({ index, failure, model, caseId: `1/${number}/${failure}/cart` });
    };
    const episodes = (from: number, to: number) =>
      Array.from({ length: Math.max(0, Math.min(to, total) - from) }, (_, i) => episode(from + i));
    return { total, episodes };
  },
  tasks: ["mitigation", "detection"],
  task: (name) => (name === "mitigation" ? mitigationRules : answeredRules),
  solver: () => "model",
  tools: () => [],
  does: (method, task) => method !== "SoloGen" || task === "mitigation",
  tasksIn: tasksOf,
  withoutPublishedRule: ({ verdict, failures }) =>
    verdict === "microremed" && Array.isArray(failures) && failures.includes("unpublished")
      ? "no check for unpublished"
      : undefined,
  parameterIssues: ({ parameters = {} }) =>
    Object.keys(parameters).map((name) => ({ path: `parameters.${name}`, message: "is set" })),
  namespaceOf: (environment) => environment,
  maxAttempts: (method, requested) => (method === "SoloGen" ? 1 : requested),
};
