import { join } from "node:path";
import { expect, test } from "vitest";
import { importDefault } from "./import-entry.ts";
import { aDirectory, fault, problemsOf } from "./testing/a-directory.ts";

const parameters = (transform: string): string => `parameters: z.object({}).transform(${transform})`;

const reads = (transform: string): string =>
  `parameters: z.object({ a: z.string().default("").transform(${transform}) })`;

test("names what throws, whatever it throws and whenever", async () => {
  const plain = (name: string, fields: string): string =>
    `export default { entry: "oracle", name: "${name}", description: "d", cost: 1, measure() {}, ${fields} };`;
  const dir = await aDirectory({
    "oracles/bare/index.js": "throw Object.create(null);",
    "oracles/getter/index.js": plain("getter", "get symptom() { throw new Error('boom'); }"),
    "oracles/proxy/index.js": "export default new Proxy({}, { get() { throw new Error('boom'); } });",
    "tools/inner/index.js": `import { z } from "zod";
      export default { entry: "tool", name: "inner", description: "d", kind: "observe", rights: "none", run() {},
        arguments: z.object({ a: z.string() }), example: new Proxy({}, { get() { throw null; }, ownKeys() { throw null; } }) };`,
    "faults/throws/index.ts": fault("throws", reads("() => { throw Object.create(null); }")),
    "faults/waits/index.ts": fault("waits", reads("async () => 1")),
    "faults/rejects/index.ts": fault("rejects", reads("async () => { throw new Error('later'); }")),
    "faults/piped/index.ts": fault("piped", parameters("() => 1")),
    "faults/truth/index.ts": fault("truth", "truth: async () => { throw new Error('later'); }"),
  });
  expect(await problemsOf(dir)).toMatchInlineSnapshot(`
    [
      "  - DIR/faults/piped/index.ts, parameters: expected a z.object({ ... }) of zod",
      "  - DIR/oracles/bare/index.js: expected code that can be loaded, not a thrown value that cannot be written as text",
      "  - DIR/oracles/getter/index.js, symptom: expected plain values: no Proxy and no getters",
      "  - DIR/oracles/proxy/index.js: expected code that can be loaded, not Error: boom",
      "  - DIR/tools/inner/index.js, example: expected arguments that the tool takes, not null",
      "  - DIR/faults/rejects/index.ts, parameters: expected a schema whose code does not throw, not Error: later",
      "  - DIR/faults/throws/index.ts, parameters: expected a schema whose code does not throw, not a thrown value that cannot be written as text",
      "  - DIR/faults/waits/index.ts, parameters: expected a schema that is read without promises",
      "  - DIR/faults/truth/index.ts, truth().objects: expected a list; it is missing",
      "  - DIR/faults/truth/index.ts, truth().affected: expected a list; it is missing",
      "  - DIR/faults/truth/index.ts, truth().mechanism: expected a mechanism of the list, such as resources-taken (docs/reference/catalogue.md#mechanisms)",
      "  - DIR/faults/truth/index.ts, truth().explanation: expected a text; it is missing",
      "  - DIR/faults/truth/index.ts, truth().systemLevel: expected "Hardware" or "Operating System" or "Virtualization" or "Application"",
      "  - DIR/faults/truth/index.ts, truth().faultType: expected "Misconfiguration" or "Code Defect" or "Authentication Issue" or "Network/Storage Issue" or "Operation Error" or "Dependency Problem"",
    ]
  `);
  const environment = { "environments/code/index.js": "throw Object.create(null);" };
  expect(await problemsOf(await aDirectory(environment))).toMatchInlineSnapshot(`
    [
      "  - DIR/environments/code/index.js: expected code that can be loaded, not a thrown value that cannot be written as text",
    ]
  `);
});

test("an import that never ends is given up", async () => {
  const dir = await aDirectory({
    "never.mjs": "await new Promise(() => {});",
    "then.mjs": "export default { then() {} };",
    "calm.mjs": "export default 1;",
  });
  for (const file of ["never.mjs", "then.mjs"])
    await expect(importDefault(join(dir, file), 20)).rejects.toThrow("it has not ended within 0.02 s");
  expect(await importDefault(join(dir, "calm.mjs"))).toBe(1);
});
