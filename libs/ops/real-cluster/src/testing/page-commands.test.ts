import { expect, test } from "vitest";
import { pageCommands } from "./page-commands.ts";

test("a page's commands come whole: loops and continued lines, without comments", async () => {
  const target = await pageCommands("kubernetes.md", "A cluster under test");
  expect(target.map((command) => command.split(" ").slice(0, 2).join(" "))).toEqual([
    "npx microremed",
    "for service",
    "kubectl -n",
  ]);
  expect(target[1]).toMatch(/\ndone$/);
  const split = await pageCommands("kubernetes.md", "MicroRemed-CS");
  expect(split[1]).toMatch(/^npx microremed secrets cs-cluster .*\\\n .*apply -f -$/s);
  expect(split.join("\n")).not.toMatch(/^#/m);
  expect((await pageCommands("kubernetes.md", "Try it")).at(-1)).toBe("npx microremed report <id>");
  expect((await pageCommands("kubernetes.md", "Production", 1)).at(-1)).toContain("submit.py");
  await expect(pageCommands("kubernetes.md", "Rights")).rejects.toThrow(/no commands under "Rights"/);
});
