import type { Area } from "../case.types.ts";

export const areas: readonly Area[] = [];
