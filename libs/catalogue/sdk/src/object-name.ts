import { z } from "zod";

/** A parameter of a fault that is the name of an object, without dots. */
export const objectName = z.string().regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
