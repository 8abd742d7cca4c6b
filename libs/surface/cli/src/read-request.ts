import { readFile } from "node:fs/promises";
import { type ExperimentRequestInput, issueLines, readRequestFields } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { load } from "js-yaml";
import { z } from "zod";
import { fileWords } from "./file-trouble.ts";

const maxBytes = 8 * 2 ** 20;

/** Reads text of bounded size; errors name the file and what to do. */
export async function readTextFile(path: string, what: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    if (text.length > maxBytes) throw terminal("invalid-request", `${what} ${path} is larger than 8 MiB`);
    return text;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw terminal("invalid-request", `cannot read ${what} ${path}: ${fileWords(error)}`);
  }
}

/** Reads a JSON file that this command has written: `parse` throws when it is another; `written` says what writes it. */
export async function readJsonFile<T>(
  path: string,
  what: string,
  written: string,
  parse: (value: unknown) => T,
): Promise<T> {
  const text = await readTextFile(path, `the ${what}`);
  try {
    return parse(JSON.parse(text));
  } catch (thrown) {
    const first = thrown instanceof z.ZodError ? thrown.issues[0] : undefined;
    const why = (first ? [...first.path, first.message].join(": ") : AppError.from(thrown).message).slice(
      0,
      300,
    );
    throw terminal(
      "invalid-request",
      `${path} was not written with ${written}: expected a saved ${what}: ${why}`,
    );
  }
}

/** Reads a request (YAML or JSON) and checks its fields; every wrong one is named. */
export async function readRequest(path: string): Promise<ExperimentRequestInput> {
  const text = await readTextFile(path, "the request");
  let value: unknown;
  try {
    value = load(text);
  } catch (error) {
    throw terminal("invalid-request", `${path} is neither YAML nor JSON: ${(error as Error).message}`);
  }
  return assertRequest(value, path);
}

/** Throws `invalid-request` with every wrong field. What the names in it mean is checked by the scheduler. */
export function assertRequest(value: unknown, where: string): ExperimentRequestInput {
  const { issues } = readRequestFields(value);
  if (issues.length === 0) return value as ExperimentRequestInput;
  throw terminal("invalid-request", `${where} has wrong fields:\n${issueLines(issues)}`);
}

/** An experiment file: one failure name per line; empty lines are skipped. */
export function parseSequence(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
