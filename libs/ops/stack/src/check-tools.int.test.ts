import { expect, test } from "vitest";
import { checkTools } from "./check-tools.ts";

test("finds every tool with its version, and says how to get one on each system", async () => {
  const tools = await checkTools();
  expect(tools.filter((tool) => tool.required && !tool.found)).toEqual([]);
  for (const tool of tools) if (tool.found) expect(tool.version).toMatch(/^\d+\.\d/);
  const mac = await checkTools("darwin");
  expect(mac.find(({ name }) => name === "redis-server")?.howToGet).toBe("brew install redis");
});
