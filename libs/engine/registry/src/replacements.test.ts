import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadCatalogue } from "./load-catalogue.ts";
import { aDirectory, problemsOf } from "./testing/a-directory.ts";

const ours = join(import.meta.dirname, "../../../catalogue/environments/simple-micro");

/** A directory with simple-micro as a user's own, below `place`. */
async function withSystem(place: string): Promise<{ dir: string; folder: string }> {
  const dir = await aDirectory({});
  const folder = join(dir, place, "simple-micro");
  await cp(ours, folder, { recursive: true });
  const model = join(folder, "model.yaml");
  await writeFile(model, (await readFile(model, "utf8")).replace(/^description:.*$/m, "description: mine"));
  return { dir, folder };
}

test("an environment of a user's replaces a built-in one, and the catalogue says so", async () => {
  const { dir, folder } = await withSystem("environments");
  const catalogue = await loadCatalogue({ dirs: [dir] });
  expect(catalogue.replaced).toEqual([{ name: "simple-micro", file: folder, instead: "built in" }]);
  expect(catalogue.environments.get("simple-micro").description).toBe("mine");

  const alone = await withSystem("");
  const both = await loadCatalogue({ dirs: [dir], environmentsDir: alone.dir });
  expect(both.replaced).toEqual([
    { name: "simple-micro", file: alone.folder, instead: "built in" },
    { name: "simple-micro", file: folder, instead: alone.folder },
  ]);
  expect((await loadCatalogue()).replaced).toEqual([]);
});

test("two catalogues may not have the same environment", async () => {
  const [one, two] = [await withSystem("environments"), await withSystem("environments")];
  expect(await problemsOf(one.dir, two.dir)).toEqual([
    "  - DIR2/environments/simple-micro, name: expected a unique name: DIR/environments/simple-micro has it too",
  ]);
});
