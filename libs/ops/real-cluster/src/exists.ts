import { access } from "node:fs/promises";

/** Whether a file or folder is there. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
