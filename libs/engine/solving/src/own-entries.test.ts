import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadCatalogue } from "@microremed/registry";
import { expect, onTestFinished, test } from "vitest";
import { aTurn, calls, play, playbook } from "./testing/turn-fixture.ts";

/** A user's directory outside of the repository, without packages of its own. */
async function aDirectory(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-own-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

const tool = `
import { defineProbeTool, z } from "@microremed/catalogue";
export default defineProbeTool({
  name: "get_config_map",
  description: "Get one ConfigMap of the namespace.",
  arguments: z.object({ name: z.string().regex(/^[a-z0-9.-]+$/).describe("Its name") }),
  example: { name: "cart" },
  offeredTo: "all",
  probe: ({ name }) => ({ kind: "command", command: \`kubectl get configmap \${name} -o yaml\` }),
});
`;
const agent = `
import { type AgentContext, type ChatMessage, attemptReport, defineAgent } from "@microremed/catalogue";
import { system } from "./prompts.ts";

function opening({ lastAttempt, situation }: AgentContext): ChatMessage[] {
  if (lastAttempt !== null) return [{ role: "user", content: attemptReport(lastAttempt) }];
  return [{ role: "system", content: system }, { role: "user", content: situation }];
}

export default defineAgent({
  name: "Terse",
  description: "says little",
  tasks: "all",
  tools: ["get_events"],
  maxAttempts: (requested) => requested,
  solve: (context) => context.loop(opening(context)),
});
`;

test("an agent and a tool of a user's directory work together, and the tool for the agents that are there", async () => {
  const dir = await aDirectory({
    "tools/get-config-map/index.ts": tool,
    "agents/terse/index.ts": agent,
    "agents/terse/prompts.ts": `export const system: string = "You repair systems.";`,
  });
  const catalogue = await loadCatalogue({ dirs: [dir] });
  for (const method of ["Terse", "ThinkRemed"]) {
    const turn = aTurn(
      [calls(["get_config_map", { name: "cart" }]), calls(["print_playbook", { playbook }])],
      {
        catalogue,
      },
    );
    expect(await play(method, turn)).toMatchObject({ status: "act", arguments: { playbook }, probes: 1 });
    expect(turn.probed).toEqual(["kubectl get configmap cart -o yaml"]);
    expect(turn.requests[0]?.tools?.map(({ name }) => name)).toContain("get_config_map");
  }
});

test("what is wrong with them is named: the place, and what was expected there", async () => {
  const dir = await aDirectory({
    "tools/one/index.js": `
      import { defineTool, z } from "@microremed/catalogue";
      export default defineTool({ name: "one", kind: "observe", rights: "all", description: "d",
        arguments: z.string(), example: "", run: async () => "" });`,
    "tools/two/index.js": `
      import { defineTool, z } from "@microremed/catalogue";
      const inText = { form: "a two", read: () => undefined };
      export default defineTool({ name: "two", publishedAs: "get_logs", kind: "act", rights: "write",
        description: "d", arguments: z.object({}), example: {}, handsIn: { noun: "two", usage: "two", inText } });`,
    "tools/four/index.js": `
      import { defineProbeTool, z } from "@microremed/catalogue";
      export default defineProbeTool({ name: "four", description: "d", arguments: z.object({}), example: {},
        probe: () => ({ kind: "guess" }) });`,
    "tools/five/index.js": `
      import { defineProbeTool, z } from "@microremed/catalogue";
      export default defineProbeTool({ name: "five", description: "d", arguments: z.object({}),
        probe: () => ({ kind: "events" }) });`,
    "tools/Six_Seven/index.js": `throw new Error("a folder of that name is not read")`,
    "agents/three/index.js": `
      import { defineAgent } from "@microremed/catalogue";
      export default defineAgent({ name: "three", description: "d", tasks: ["guessing"],
        tools: ["get_all", "run_playbook"], maxAttempts: () => 1, solve: (context) => context.loop([]) });`,
  });
  const message = (dirs: string[]) =>
    loadCatalogue({ dirs }).then(
      () => "",
      (error: Error) =>
        error.message
          .replaceAll(dir, "DIR")
          .replace(/\S*\/libs\/catalogue/g, "libs/catalogue")
          // What there is to choose from is not of this test: a new entry does not change it.
          .replace(/(names of [a-z ]+) \(.*?get_logs.*?\)/g, "$1 (..., get_logs, ...)")
          .replace(/(names of tasks) \(.*?detection.*?\)/g, "$1 (..., detection, ...)"),
    );
  expect(await message([dir])).toMatchInlineSnapshot(`
    "the catalogue cannot be loaded:
      - DIR/tools/Six_Seven/index.js: expected a folder in kebab-case like "get-config-map", not "Six_Seven"
      - DIR/tools/five/index.js, example: expected arguments as they should be; it is missing
      - DIR/tools/four/index.js, example: expected arguments that the tool takes, with which kind is wrong: Invalid discriminator value. Expected 'command' | 'logs' | 'metrics' | 'events' | 'topology' | 'series' | 'traces' | 'changes' | 'describe' | 'wait'
      - DIR/tools/one/index.js, rights: expected "read" or "none" or "write", not "all"
      - DIR/tools/one/index.js, arguments: expected a z.object({ ... }) of zod that can be written as JSON schema
      - DIR/agents/three/index.js, tools: expected names of tools that observe (..., get_logs, ...), not "get_all"
      - DIR/agents/three/index.js, tools: expected names of tools that observe (..., get_logs, ...), not "run_playbook"
      - DIR/agents/three/index.js, tasks: expected names of tasks (..., detection, ...), not "guessing"
      - DIR/tools/two/index.js, kind: expected "observe": the only tool of "act" is run_playbook
      - DIR/tools/two/index.js, publishedAs: expected a unique name: libs/catalogue/tools/get-logs/index.ts has "get_logs" too"
  `);
  await rm(join(dir, "tools/one"), { recursive: true });
  expect(await message([dir])).toMatchInlineSnapshot(`
    "the catalogue cannot be loaded:
      - DIR/tools/Six_Seven/index.js: expected a folder in kebab-case like "get-config-map", not "Six_Seven"
      - DIR/tools/five/index.js, example: expected arguments as they should be; it is missing
      - DIR/tools/four/index.js, example: expected arguments that the tool takes, with which kind is wrong: Invalid discriminator value. Expected 'command' | 'logs' | 'metrics' | 'events' | 'topology' | 'series' | 'traces' | 'changes' | 'describe' | 'wait'
      - DIR/agents/three/index.js, tools: expected names of tools that observe (..., get_logs, ...), not "get_all"
      - DIR/agents/three/index.js, tools: expected names of tools that observe (..., get_logs, ...), not "run_playbook"
      - DIR/agents/three/index.js, tasks: expected names of tasks (..., detection, ...), not "guessing"
      - DIR/tools/two/index.js, kind: expected "observe": the only tool of "act" is run_playbook
      - DIR/tools/two/index.js, publishedAs: expected a unique name: libs/catalogue/tools/get-logs/index.ts has "get_logs" too"
  `);
});
