import { fileURLToPath } from "node:url";

/** The folder of the whole project, with a slash at its end. */
export const repository = fileURLToPath(new URL("../../../../", import.meta.url));
