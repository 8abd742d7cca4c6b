import { expect, test } from "vitest";
import { streamed } from "./stream-script.ts";

test.each([
  ["echo a; sleep 5; ls", "echo a >> /dev/.stdout ; sleep 5 >> /dev/.stdout ; ls >> /dev/.stdout "],
  [
    "for i in 1 2; do echo $i; sleep 1; done",
    "for i in 1 2; do echo $i >> /dev/.stdout ; sleep 1 >> /dev/.stdout ; done",
  ],
  ["cat f | sort && sleep 1", "cat f | sort >> /dev/.stdout && sleep 1 >> /dev/.stdout "],
  ["echo 'a; b' > f; sleep 1", "echo 'a; b' > f; sleep 1 >> /dev/.stdout "],
])("%s", (script, rewritten) => {
  expect(streamed(script)).toBe(rewritten);
});

test.each(["echo a", "x=$(date); sleep 1", "{ echo a; sleep 1; } > f", "sleep 1 & wait", "sleep 1 2>&1"])(
  "leaves alone: %s",
  (script) => {
    expect(streamed(script)).toBeUndefined();
  },
);
