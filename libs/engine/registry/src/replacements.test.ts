import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { environments } from "@microremed/environments";
import { expect, test } from "vitest";
import { loadCatalogue } from "./load-catalogue.ts";
import { aDirectory, problemsOf } from "./testing/a-directory.ts";

const ours = join(import.meta.dirname, "../../../catalogue/environments/simple-micro/environment.yaml");
const yaml = (await readFile(ours, "utf8")).replace(/^description:.*$/m, "description: mine");

test("an environment of a user's replaces a built-in one, and the catalogue says so", async () => {
  const dir = await aDirectory({ "environments/simple-micro.yaml": yaml });
  const file = join(dir, "environments/simple-micro.yaml");
  const catalogue = await loadCatalogue({ dirs: [dir] });
  expect(catalogue.replaced).toEqual([{ name: "simple-micro", file, instead: "built in" }]);
  expect(catalogue.environments.get("simple-micro")).not.toEqual(environments.get("simple-micro"));

  const alone = await aDirectory({ "simple-micro.yaml": yaml });
  const both = await loadCatalogue({ dirs: [dir], environmentsDir: alone });
  expect(both.replaced).toEqual([
    { name: "simple-micro", file: join(alone, "simple-micro.yaml"), instead: "built in" },
    { name: "simple-micro", file, instead: join(alone, "simple-micro.yaml") },
  ]);
  expect((await loadCatalogue()).replaced).toEqual([]);
});

test("two catalogues, or two files of one, may not have the same environment", async () => {
  const one = await aDirectory({ "environments/simple-micro.yaml": yaml });
  const two = await aDirectory({
    "environments/simple-micro.yaml": yaml,
    "environments/simple-micro/environment.yaml": yaml,
  });
  expect(await problemsOf(one, two)).toEqual([
    "  - DIR2/environments/simple-micro/environment.yaml, name: expected a unique name: DIR/environments/simple-micro.yaml has it too",
    "  - DIR2/environments/simple-micro.yaml, name: expected a unique name: DIR2/environments/simple-micro/environment.yaml has it too",
  ]);
});
