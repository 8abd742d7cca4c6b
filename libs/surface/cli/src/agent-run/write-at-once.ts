import { constants } from "node:fs";
import { writeFile } from "node:fs/promises";

const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK } = constants;

/**
 * Writes a file in a folder to which programs of others may have access. Throws where a named pipe has the file's name: to write to
 * that would wait, perhaps forever, for who reads it.
 */
export function writeAtOnce(path: string, text: string): Promise<void> {
  return writeFile(path, text, { flag: O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK });
}
