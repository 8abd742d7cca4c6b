import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { terminal } from "@microremed/core";

/** Where package managers put servers that a user's PATH often leaves out. */
const otherFolders = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/** PATH with the folders of an administrator's programs, which a user's often leaves out. */
export const pathWithSbin = `${process.env["PATH"]}:/usr/sbin:/sbin`;

/** Full path of a program on PATH or in the usual folders. Throws `missing-tool` that says how to get it. */
export async function findProgram(name: string, howToGet: string): Promise<string> {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...otherFolders];
  for (const folder of folders.filter(Boolean)) {
    const file = join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  throw terminal("missing-tool", `${name} is not installed (searched PATH and /usr/sbin). ${howToGet}`, {
    tool: name,
  });
}
