// `npm version` runs it after it has written the new version into package.json, and commits what it changes.
import { readFileSync, writeFileSync } from "node:fs";
import { citationOf, pythonVersionOf, releaseNotes } from "./release-notes.ts";

// biome-ignore lint/suspicious/noUndeclaredEnvVars: npm sets it, and no task of turbo has it
const version = process.env["npm_package_version"];
if (version === undefined)
  throw new Error("start it with `npm version patch`, `minor`, `major` or a version such as 1.0.0");
const rewrite = (file: string, by: typeof releaseNotes): void =>
  writeFileSync(file, by(readFileSync(file, "utf8"), version, new Date()));
rewrite("CHANGELOG.md", releaseNotes);
rewrite("CITATION.cff", citationOf);
rewrite("clients/python/src/microremed/__init__.py", pythonVersionOf);
