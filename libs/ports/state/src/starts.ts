import type { StageKey } from "./results.ts";

/** Which commands were begun that must not be done twice, whatever becomes of who does them. */
export interface Starts {
  /** True: the command had not been begun before; from now on it is. */
  begin(key: StageKey): Promise<boolean>;
}
