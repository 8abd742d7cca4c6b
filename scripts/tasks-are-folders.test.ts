import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const tasks = "libs/catalogue/tasks";
/** Agents say which tasks they can do. */
const entries = ["libs/catalogue/tasks/", "libs/catalogue/agents/"];
/** The task of a request that names none. */
const allowed = ["libs/contracts/src/ids.ts"];

test("nothing but its folder says what a task is, and nothing but agents names any", async () => {
  const folders = (await readdir(tasks, { withFileTypes: true })).filter((one) => one.isDirectory());
  const names = folders.map(({ name }) => name).filter((name) => name !== "node_modules");
  expect(names.length).toBeGreaterThan(1);
  const quoted = new RegExp(`["'\`](${names.join("|")})["'\`]`);
  const naming: string[] = [];
  for (const root of ["libs", "services"]) {
    for (const file of await readdir(root, { recursive: true })) {
      const path = join(root, file);
      if (!/\.ts$/.test(file) || /node_modules|\.test\.ts$|\/testing\//.test(path)) continue;
      if (entries.some((entry) => path.startsWith(entry)) || allowed.includes(path)) continue;
      if (quoted.test(await readFile(path, "utf8"))) naming.push(path);
    }
  }
  expect(naming).toEqual([]);
});
