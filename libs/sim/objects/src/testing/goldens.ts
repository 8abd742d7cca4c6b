import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dump, load } from "js-yaml";
import { expect, test } from "vitest";

/** The value of `<now>` in the cases. */
const now = Date.parse("2026-03-02T08:30:00Z");
const input = ".input.yaml";

/**
 * Tests a pure rule on the cases in `testdata/<rule>` beside the test: what it makes of `<case>.input.yaml` must be
 * `<case>.output.yaml`. `UPDATE=1` writes the outputs. Times are written `<now>`, `<now-30s>` (RFC 3339) or
 * `<now-30s ms>` (ms since the epoch), addresses `<ip 3>`, uids `<uid web>`.
 */
export function testGoldens<Input>(
  testUrl: string,
  name: string,
  rule: (input: Input, now: number) => unknown,
): void {
  const folder = fileURLToPath(new URL(`./testdata/${name}/`, testUrl));
  const cases = readdirSync(folder).filter((file) => file.endsWith(input));
  if (cases.length === 0) throw new Error(`${folder} holds no case: add <case>${input}`);
  test.each(cases.map((file) => file.slice(0, -input.length)))(`${name}: %s`, (title) => {
    const output = `${folder}${title}.output.yaml`;
    const given = load(readFileSync(`${folder}${title}${input}`, "utf8"));
    const made = dump(written(JSON.parse(JSON.stringify(rule(read(given) as Input, now) ?? null))), {
      lineWidth: 110,
    });
    if (process.env["UPDATE"]) writeFileSync(output, made);
    if (!existsSync(output)) throw new Error(`${output} is missing: UPDATE=1 writes it`);
    expect(made).toBe(readFileSync(output, "utf8"));
  });
}

/** The value with every string changed, and every time in ms. */
function mapped(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value === "number" && value > 1e12)
    return change(`${new Date(value).toISOString().slice(0, 19)}Z ms`);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, change)]));
}

const read = (value: unknown): unknown =>
  mapped(value, (text) => {
    const time = /^<now(?:([+-]\d+)s)?( ms)?>$/.exec(text);
    const at = now + Number(time?.[1] ?? 0) * 1000;
    if (time) return time[2] ? at : `${new Date(at).toISOString().slice(0, 19)}Z`;
    return text
      .replaceAll(/<ip (\d+)>/g, "10.244.0.$1")
      .replaceAll(/<uid ([a-z\d-]+)>/g, "00000000-0000-4000-8000-$1");
  });

const written = (value: unknown): unknown =>
  mapped(value, (text) =>
    text
      .replaceAll(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)( ms)?/g, (whole, time, unit = "") => {
        const seconds = (Date.parse(time) - now) / 1000;
        const offset = seconds === 0 ? "" : `${seconds > 0 ? "+" : ""}${seconds}s`;
        return Math.abs(seconds) > 1e6 ? whole : `<now${offset}${unit}>`;
      })
      .replaceAll(/\b10\.244\.0\.(\d+)\b/g, "<ip $1>")
      .replaceAll(/00000000-0000-4000-8000-([a-z\d-]+)/g, "<uid $1>"),
  );
