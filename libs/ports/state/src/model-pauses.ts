import type { ModelPause } from "@microremed/contracts";

/** A model of an experiment, by its place in the request's list. */
export interface PausedModel {
  readonly experimentId: string;
  readonly lane: number;
}

/** Models whose episodes wait, each in one experiment, because their provider fails. */
export interface ModelPauses {
  /** False: it is paused already, and that pause stays as it is. */
  begin(paused: PausedModel, pause: ModelPause): Promise<boolean>;
  /** Writes the pause as it is now, or begins it. */
  update(paused: PausedModel, pause: ModelPause): Promise<void>;
  list(): Promise<readonly (PausedModel & { readonly pause: ModelPause })[]>;
  /** False: it was not paused. */
  end(paused: PausedModel): Promise<boolean>;
}

/** `<experiment>/<lane>`. */
export function pausedName({ experimentId, lane }: PausedModel): string {
  return `${experimentId}/${lane}`;
}

export function parsePausedName(name: string): PausedModel {
  const at = name.lastIndexOf("/");
  return { experimentId: name.slice(0, at), lane: Number(name.slice(at + 1)) };
}
