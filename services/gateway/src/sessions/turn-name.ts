import type { TurnKey } from "@microremed/contracts";
import { z } from "zod";

/** By what an agent says which turn of a problem it means: after a lost arena the same attempt is asked again. */
export const TurnName = z.string().regex(/^\d{1,9}\.\d{1,9}$/, "a turn as `next` has named it");

/** The name of a turn. */
export const turnName = ({ trial, attempt }: TurnKey): string => `${trial}.${attempt}`;
