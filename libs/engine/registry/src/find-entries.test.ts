import { execFileSync } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadCatalogue } from "./load-catalogue.ts";
import { aDirectory, oracle, problemsOf } from "./testing/a-directory.ts";

test("follows links to entries, to kinds and to the directory", async () => {
  const elsewhere = await aDirectory({
    "calm/index.ts": oracle("calm"),
    "kind/quiet/index.ts": oracle("quiet"),
  });
  const one = await aDirectory({ "oracles/still/index.ts": oracle("still") });
  await symlink(join(elsewhere, "calm"), join(one, "oracles/calm"));
  const two = await aDirectory({});
  await symlink(join(elsewhere, "kind"), join(two, "oracles"));
  await symlink(two, join(elsewhere, "two"));
  const { oracles } = await loadCatalogue({ dirs: [one, join(elsewhere, "two")] });
  expect(oracles.names).toEqual(expect.arrayContaining(["calm", "quiet", "still"]));
});

test("names what is not there, not one thing, or nothing to read", async () => {
  const dir = await aDirectory({
    "oracles/calm/index.ts": oracle("calm"),
    "oracles/calm/index.js": oracle("calm"),
    "environments/empty/readme.txt": "",
    "environments/both/index.ts": "",
    "environments/both/model.yaml": "",
    "environments/shop.yml": "",
    "suites/huge@1/suite.yaml": "",
    tools: "a file",
  });
  await mkdir(join(dir, "suites/pipe@1"));
  execFileSync("mkfifo", [join(dir, "suites/pipe@1/suite.yaml"), join(dir, "environments/pipe.yaml")]);
  await truncate(join(dir, "suites/huge@1/suite.yaml"), 5_000_000);
  await symlink("nowhere", join(dir, "oracles/gone"));
  await symlink("tasks", join(dir, "tasks"));
  expect(await problemsOf(dir)).toMatchInlineSnapshot(`
    [
      "  - DIR/oracles/gone: expected a link that leads somewhere",
      "  - DIR/oracles/calm: expected one of the files index.ts, index.js, index.mjs, not index.ts and index.js",
      "  - DIR/tools: expected a folder, not a file or a link that leads nowhere",
      "  - DIR/tasks: Error: ELOOP: too many symbolic links encountered, stat 'DIR/tasks'",
      "  - DIR/suites/huge@1/suite.yaml: expected a file of at most 4194304 bytes, not 5000000",
      "  - DIR/suites/pipe@1/suite.yaml: expected a regular file, not a folder, pipe, socket or device",
      "  - DIR/environments/both: expected one of the files model.yaml, index.ts, index.js, index.mjs, not model.yaml and index.ts",
      "  - DIR/environments/empty: expected one of the files model.yaml, index.ts, index.js, index.mjs",
      "  - DIR/environments/pipe.yaml: expected a folder with model.yaml, workload.yaml and manifests/",
      "  - DIR/environments/shop.yml: expected a folder with model.yaml, workload.yaml and manifests/",
    ]
  `);
});

test("refuses a directory with more entries than anybody writes, and loads many", async () => {
  const dir = await aDirectory({});
  const names = Array.from({ length: 2_001 }, (_, i) => `many-${i}`);
  for (const name of names) await mkdir(join(dir, "oracles", name), { recursive: true });
  expect(await problemsOf(dir)).toEqual(["  - DIR/oracles: expected at most 2000 entries, not 2001"]);

  const fewer = await aDirectory(
    Object.fromEntries(names.slice(0, 40).map((name) => [`oracles/${name}/index.js`, oracle(name)])),
  );
  await writeFile(join(fewer, "oracles/readme.md"), "");
  const { oracles } = await loadCatalogue({ dirs: [fewer] });
  expect(oracles.names).toEqual(expect.arrayContaining(names.slice(0, 40)));
});
