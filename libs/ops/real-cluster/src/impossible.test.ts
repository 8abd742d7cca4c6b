import { expect, test } from "vitest";
import { whyImpossible } from "./impossible.ts";

const isPossible = process.platform === "linux" && process.getuid?.() === 0;

test.runIf(isPossible)("a program that is missing is named, and how to install it", async () => {
  const why = await whyImpossible(["no-such-program"]);
  // What else this machine lacks is named beside it.
  expect(why).toMatch(/\bno-such-program\b.* missing\./);
  expect(why).toMatch(/`apt-get install .* no-such-program`/);
});

test.skipIf(isPossible)("without root none can be started", async () => {
  expect(await whyImpossible()).toBe("it takes Linux and root");
});
