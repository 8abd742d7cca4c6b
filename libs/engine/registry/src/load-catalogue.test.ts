import { expect, test } from "vitest";
import { builtInCatalogue } from "./built-in-catalogue.ts";
import { loadCatalogue } from "./load-catalogue.ts";
import { aDirectory, fault, oracle, problemsOf, truthOf } from "./testing/a-directory.ts";

test("loads entries in TypeScript and in plain JavaScript from a directory without packages", async () => {
  const dir = await aDirectory({
    "oracles/calm/index.ts": oracle("calm", ": Promise<import('@microremed/catalogue').OracleVerdict>"),
    "oracles/quiet/index.js": oracle("quiet"),
  });
  const { oracles } = await loadCatalogue({ dirs: [dir] });
  expect(oracles.names).toEqual(expect.arrayContaining(["calm", "quiet"]));
  expect((await builtInCatalogue()).oracles.has("calm")).toBe(false);
});

test("what comes with the product passes the checks of users' entries, and is the same unchecked", async () => {
  const checked = await loadCatalogue({ checkOurs: true });
  const unchecked = await builtInCatalogue();
  expect(unchecked.suites.names).toEqual(checked.suites.names);
  expect(unchecked.problems.all()).toEqual(checked.problems.all());
  expect(unchecked.problems.all().length).toBeGreaterThan(100);
});

test("refuses unknown names, but not those of entries that are broken themselves", async () => {
  const dir = await aDirectory({
    "faults/a/index.ts": fault("a", `notShortcuts: ["stop-load", "nope"]`),
    "faults/b/index.ts": fault("b", `symptom: "serving"`),
    "faults/c/index.ts": fault("c", `symptom: "five", recovery: ["ready", "serving", "five", "six"]`),
    "faults/d/index.ts": "",
    "faults/f/index.ts": fault("f", "truth: () => ({ objects: [] })"),
    "faults/g/index.ts": fault("g", truthOf("[]")),
    "oracles/five/index.js": "export const five = 5;",
    "suites/e@1/suite.yaml": "name: e@1\ndescription: a suite\ncases: [a, d, missing]",
  });
  const message = await loadCatalogue({ dirs: [dir] }).then(
    () => "",
    (error: Error) => error.message,
  );
  const known = /\((answers, [a-z, ]+)\)/g;
  // Which target is the first depends on the systems that there are.
  const shown = message
    .replaceAll(dir, "DIR")
    .replace(known, "(...)")
    .replace(/"[a-z-]+" here/, '"..." here');
  expect(shown).toMatchInlineSnapshot(`
    "the catalogue cannot be loaded:
      - DIR/faults/d/index.ts, default export: expected the entry: export default ...
      - DIR/oracles/five/index.js, default export: expected the entry: export default ...
      - DIR/faults/a/index.ts, notShortcuts.1: expected the name of a shared shortcut (noop, delete-workload, scale-to-zero, delete-service, stop-load), not "nope"
      - DIR/faults/b/index.ts, symptom: expected an oracle that has a symptom() (...), not "serving"
      - DIR/faults/c/index.ts, recovery.3: expected the name of an oracle (...), not "six"
      - DIR/suites/e@1/suite.yaml, cases: expected names of faults that are loaded, not "missing"
      - DIR/faults/f/index.ts, truth().affected: expected a list; it is missing
      - DIR/faults/f/index.ts, truth().mechanism: expected a mechanism of the list, such as resources-taken (docs/reference/catalogue.md#mechanisms)
      - DIR/faults/f/index.ts, truth().explanation: expected a text; it is missing
      - DIR/faults/f/index.ts, truth().systemLevel: expected "Hardware" or "Operating System" or "Virtualization" or "Application"
      - DIR/faults/f/index.ts, truth().faultType: expected "Misconfiguration" or "Code Defect" or "Authentication Issue" or "Network/Storage Issue" or "Operation Error" or "Dependency Problem"
      - DIR/faults/g/index.ts, truth().affected: expected the target among them, "..." here: ...affectedObjects({ environment, target })"
  `);
});

test("names every wrong place: file, field and what was expected", async () => {
  const dir = await aDirectory({
    "oracles/one/index.ts": oracle("other"),
    "oracles/two/index.js": `export default { name: "two" };`,
    "oracles/three/readme.txt": "",
    "oracles/four/index.js": "export default 1 +;",
    "oracles/five/index.js": "export const five = 5;",
    "suites/six/suite.yaml": "name: six\ndescription: a suite",
    "fault/seven/index.ts": "",
    "environments/eight/model.yaml": "name: eight",
    "environments/eight/workload.yaml": "entry: web:80",
    "environments/eight/manifests/web.yaml": "kind: Service",
    "environments/nine/model.yaml": "",
  });
  const message = await loadCatalogue({ dirs: [dir] }).then(
    () => "",
    (error: Error) => error.message,
  );
  const lines = message.replaceAll(dir, "DIR").split("\n");
  // Whose words those are depends on who reads the file.
  const shown = lines.map((line) => line.replace(/(code that can be loaded, not) .*/, "$1 ..."));
  expect(shown.join("\n")).toMatchInlineSnapshot(`
    "the catalogue cannot be loaded:
      - DIR/fault: expected a folder named faults, noises, oracles, tools, tasks, agents, suites, environments, policies, remedies
      - DIR/oracles/three: expected one of the files index.ts, index.js, index.mjs
      - DIR/oracles/five/index.js, default export: expected the entry: export default ...
      - DIR/oracles/four/index.js: expected code that can be loaded, not ...
      - DIR/oracles/one/index.ts, name: expected "one", the name of its folder, not "other"
      - DIR/oracles/two/index.js, entry: expected the result of defineOracle({ ... })
      - DIR/oracles/two/index.js, description: expected a text; it is missing
      - DIR/oracles/two/index.js, cost: expected a number; it is missing
      - DIR/oracles/two/index.js, measure: expected a function
      - DIR/suites/six/suite.yaml, name: expected <name>@<version>, e.g. nightly@1, not "six"
      - DIR/environments/eight, model.yaml, description: expected a text; it is missing
      - DIR/environments/eight, model.yaml, source: expected a text; it is missing
      - DIR/environments/eight, workload.yaml, requestsPerSecond: expected one of requestsPerSecond, users and replay
      - DIR/environments/eight, manifests/web.yaml, document 1: expected apiVersion, as every Kubernetes object has
      - DIR/environments/nine, workload.yaml: expected a file; there is none"
  `);
});

test("a strength has parameters of its fault, with values that its schema takes", async () => {
  const strengths = (parameters: string): string =>
    `parameters: z.object({ percent: z.int().max(100).default(50) }), strengths: [{ name: "all", parameters: ${parameters} }],`;
  const dir = await aDirectory({
    "faults/fits/index.ts": fault("fits", strengths("{ percent: 100 }")),
    "faults/other/index.ts": fault("other", strengths("{ share: 1 }")),
    "faults/wrong/index.ts": fault("wrong", strengths("{ percent: 101 }")),
  });
  expect(await problemsOf(dir)).toEqual([
    '  - DIR/faults/other/index.ts, strengths.0.parameters: expected parameters of the fault (percent), not "share"',
    expect.stringMatching(
      /wrong\/index\.ts, strengths\.0\.parameters: expected values that its schema takes: /,
    ),
  ]);
});
