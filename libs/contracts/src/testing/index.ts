export * from "./planned-episode.ts";
export * from "./running-experiment.ts";
