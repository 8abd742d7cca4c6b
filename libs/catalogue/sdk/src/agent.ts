import type { Entry, Unmarked } from "./entry.ts";

/** Who solves an episode: a method with a model, a baseline, a person. */
export interface Agent extends Entry<"agent"> {
  readonly description: string;
  /** True: a person gives the answers, no model is called. */
  readonly byHand?: boolean;
  /** How many attempts an episode gets of the `requested` ones. */
  maxAttempts(requested: number): number;
}

/** Declares an agent. */
export function defineAgent(agent: Unmarked<Agent>): Agent {
  return { ...agent, entry: "agent" };
}
