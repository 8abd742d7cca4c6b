import { expect, test } from "vitest";
import { aDirectory, fault, oracle, problemsOf } from "./testing/a-directory.ts";

test("names are those of their kind, and no other entry's", async () => {
  const agent = (name: string): string => `export default { entry: "agent", name: "${name}", description: "d",
    tasks: "all", tools: [], maxAttempts() {}, solve() {} };`;
  const tool = (name: string, more = ""): string => `import { z } from "zod";
    export default { entry: "tool", name: "${name}", description: "d", kind: "observe", rights: "none", run() {},
      arguments: z.object({}), example: {}, ${more} };`;
  const long = "a".repeat(64);
  const one = await aDirectory({
    "faults/easy/index.ts": fault("easy", ""),
    "faults/bad/index.ts": fault("Bad", ""),
    [`oracles/${long}/index.ts`]: oracle(long),
    "oracles/a-b/index.ts": oracle("a_b"),
    "agents/mine/index.js": agent("mine"),
    "agents/spaced/index.js": agent("spa ced"),
    "tools/get-it/index.js": tool("get-it"),
    "tools/events/index.js": tool("events", `publishedAs: "GET_EVENTS"`),
    "suites/cpu-stress@2/suite.yaml": "name: cpu-stress@2\ndescription: d\ncases: [cpu-stress]",
    "environments/-shop/model.yaml": "name: -shop",
  });
  const two = await aDirectory({ "agents/mine/index.js": agent("MINE") });
  const lines = await problemsOf(one, two);
  expect(lines.map((line) => line.replaceAll(/\/\S*\/libs\/catalogue/g, "OURS"))).toMatchInlineSnapshot(`
    [
      "  - DIR/faults/bad/index.ts, name: expected kebab-case like "slow-disk", not "Bad"",
      "  - DIR/oracles/a-b/index.ts, name: expected kebab-case like "slow-disk", not "a_b"",
      "  - DIR/oracles/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/index.ts, name: expected a text of at most 63 characters, not "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...",
      "  - DIR/tools/get-it/index.js, name: expected snake_case like "get_logs", not "get-it"",
      "  - DIR/agents/spaced/index.js, name: expected letters, digits and dashes like "ThinkRemed", not "spa ced"",
      "  - DIR/environments/-shop, name: expected kebab-case like "corner-shop", not "-shop"",
      "  - DIR2/agents/mine/index.js, name: expected a unique name: DIR/agents/mine/index.js has "MINE" too",
      "  - DIR/faults/easy/index.ts, name: expected a name that no suite has: OURS/suites/easy@1/suite.yaml has "easy@1", and a request names both alike",
      "  - OURS/faults/cpu-stress/index.ts, name: expected a name that no suite has: DIR/suites/cpu-stress@2/suite.yaml has "cpu-stress@2", and a request names both alike",
      "  - DIR/tools/events/index.js, publishedAs: expected a unique name: OURS/tools/get-events/index.ts has "GET_EVENTS" too",
    ]
  `);
});
