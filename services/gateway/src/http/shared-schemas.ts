import { EpisodeRecord, ExperimentRecord, RangeEvent } from "@microremed/contracts";

/** Large schemas that several routes answer with: each is in the OpenAPI document once, under its name. */
export const Episode = EpisodeRecord.meta({ id: "Episode" });
export const Experiment = ExperimentRecord.meta({ id: "Experiment" });
export const Event = RangeEvent.meta({ id: "Event" });
