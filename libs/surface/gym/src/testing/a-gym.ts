import { builtInCatalogue } from "@microremed/registry";
import { createGym, type Gym, type GymOptions } from "../create-gym.ts";
import { CaseRequest } from "../episode/case-request.ts";

const catalogue = await builtInCatalogue();

/** A gym on the smallest system. */
export const aGym = (options: Partial<GymOptions> = {}): Gym =>
  createGym({ catalogue, environment: "simple-micro", ...options });

/** A request for a case of it. */
export const aCase = (given: object = {}): CaseRequest =>
  CaseRequest.parse({ fault: "pod-fail", seed: 3, ...given });

/** What an agent types. */
export const typed = (command: string) => ({ tool: "exec_shell", arguments: { command } });

/** That it has done everything. */
export const submitted = { tool: "submit", arguments: {} };
