import { expect, test } from "vitest";
import { createShell } from "./testing/create-shell.ts";

const { run } = createShell();
const letters = "printf 'a.a\\nbb\\nc|c\\n'";

test.each([
  [`${letters} | grep -e a -e b`, "a.a\nbb\n"],
  [`${letters} | grep -v -e a -e b`, "c|c\n"],
  [`x=b; ${letters} | grep -c -e 'a' -e "$x" -e '|'`, "3\n"],
  [`${letters} | grep -F -e a. -e '|'`, "a.a\nc|c\n"],
  [`for i in 1; do ${letters} | egrep -e '^b' -e 'c$'; done`, "bb\nc|c\n"],
  [`${letters} | grep -e b`, "bb\n"],
  [`${letters} | grep -e b -- -`, "bb\n"],
])("grep takes all of its patterns: %s", async (script, out) => {
  expect((await run(["sh", "-c", script])).out).toBe(out);
});

test.each([
  ["s/\\\\/\\\\\\\\/g", "x\\\\y\\\\z\n"],
  ["s/\\\\/\\//g", "x/y/z\n"],
  ["s/x/a\\\\n/", "a\\n\\y\\z\n"],
  ["s#\\\\#[&]#", "x[\\]y\\z\n"],
  ["/x/s/y/\\\\\\\\/; s/z/\\\\/", "x\\\\\\\\\\\n"],
])("sed puts in backslashes as they are: %s", async (script, out) => {
  expect((await run(["sh", "-c", `printf '%s\\n' 'x\\y\\z' | sed '${script}'`])).out).toBe(out);
});
