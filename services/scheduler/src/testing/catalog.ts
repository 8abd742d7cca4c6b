import { aPlannedEpisode } from "@microremed/contracts/testing";
import { terminal } from "@microremed/core";
import type { Catalog } from "../scheduler.types.ts";

const randomOf = (failures: unknown): number =>
  typeof failures === "object" && failures !== null && "random" in failures ? Number(failures.random) : 20;

/** A product that knows one environment and two failures. */
export const aCatalog: Catalog = {
  environments: ["shop"],
  methods: ["ThinkRemed", "SoloGen"],
  failures: ["cpu-stress", "no-target"],
  plans: ["easy", "cpu-stress"],
  clusters: ["c1", "c2"],
  policies: ["guarded", "open"],
  plan: ({ failures, model: models }) => {
    const names = Array.isArray(failures) ? failures : Array<string>(randomOf(failures)).fill("cpu-stress");
    if (names.includes("no-target")) throw terminal("invalid-request", "no-target has no target in shop");
    const matrix = names.flatMap((failure, number) => models.map((model) => ({ failure, model, number })));
    const episodes = matrix.map(({ failure, model, number }, index) =>
      aPlannedEpisode({ index, failure, model, caseId: `1/${number}/${failure}/cart` }),
    );
    return { total: episodes.length, episodes: (from, to) => episodes.slice(from, to) };
  },
  namespaceOf: (environment) => environment,
  maxAttempts: (method, requested) => (method === "SoloGen" ? 1 : requested),
};
