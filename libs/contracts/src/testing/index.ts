export * from "./a-verdict.ts";
export * from "./old-episodes.ts";
export * from "./planned-episode.ts";
export * from "./running-experiment.ts";
