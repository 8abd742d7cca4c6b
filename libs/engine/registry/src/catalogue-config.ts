import { delimiter } from "node:path";
import { z } from "zod";

/** The environment variable of everything that loads the catalogue. */
export const catalogueConfig = {
  CATALOGUE_DIRS: z
    .string()
    .default("")
    .transform((text) => text.split(delimiter).filter((dir) => dir !== ""))
    .describe(
      "folders with catalogue entries of your own (`<kind>/<name>/`), separated as in PATH; their code runs with the rights of the service",
    ),
};
