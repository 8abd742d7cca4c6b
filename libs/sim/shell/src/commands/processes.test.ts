import { expect, test } from "vitest";
import { createShell } from "../testing/create-shell.ts";

test("a shell runs its programs beside itself, but becomes the last one", async () => {
  const { run } = createShell();
  const list = async (script: string): Promise<string> => (await run(["sh", "-c", script])).out;
  expect(await list("ps; true")).toMatch(/ sh -c ps; true\n[\s\S]* ps\n/);
  for (const script of ["ps", "true; ps", "true && ps -ef", "true\nps"]) {
    const out = await list(script);
    expect(out).toMatch(/ ps( -ef)?\n/);
    expect(out).not.toContain("sh -c");
  }
  expect(await list("true; ps | cat")).toContain("sh -c");
});
