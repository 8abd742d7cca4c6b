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

test.each([
  ["xargs -n1 echo x", "x a\nx b\nx c\n"],
  ["xargs -n 2 echo x", "x a b\nx c\n"],
  ["xargs -r -n1 echo -n1", "-n1 a\n-n1 b\n-n1 c\n"],
  ["tr ' ' '\\n' | xargs -I{} echo {}z", "az\nbz\ncz\n"],
  ["tr '\\n' ' ' | xargs -d' ' -n1 echo x", "x a\nx b\nx c\n"],
])("options of xargs may have their values with them: %s", async (script, out) => {
  expect((await run(["sh", "-c", `printf 'a b\nc\n' | ${script}`])).out).toBe(out);
});
