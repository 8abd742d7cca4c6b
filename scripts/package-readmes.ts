import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspaces } from "./workspaces.ts";

const root = join(import.meta.dirname, "..");
/** The last section of every package's README; everything above it is written by hand. */
export const generatedHeading = "## Imports and tests";

const short = ({ name }: Pick<Workspace, "name">): string => `\`${name.replace("@microremed/", "")}\``;

/** The README of every package as it must be, by path from the root: what it imports and who imports it is brought up to date. */
export function packageReadmes(): ReadonlyMap<string, string> {
  const all = workspaces(root);
  return new Map(
    all.map((each) => {
      const path = `${each.dir}/README.md`;
      const [written = ""] = readFileSync(join(root, path), "utf8").split(`\n${generatedHeading}\n`);
      return [path, `${written.trimEnd()}\n\n${generatedHeading}\n\n${sectionOf(each, all)}`];
    }),
  );
}

function sectionOf(workspace: Workspace, all: readonly Workspace[]): string {
  const { name, dependencies, devDependencies } = workspace;
  const namesOf = (is: (each: Workspace) => boolean): string[] => all.filter(is).map(short).sort();
  const of = (some: Readonly<Record<string, string>>) => namesOf((each) => each.name in some);
  const users = namesOf((each) => name in each.dependencies);
  const testers = namesOf((each) => name in each.devDependencies);
  const sentences = [
    imports("Imports", of(dependencies)) ?? "Imports no other package of this repository.",
    imports("Its tests also import", of(devDependencies)),
    imports("Imported by", users) ?? "No package imports it.",
    imports("Imported in tests by", testers),
  ];
  const text = wrapped(sentences.filter((one) => one !== undefined).join(" "));
  return `${text}\n\n\`\`\`sh\nnpm test -w ${name}\n\`\`\`\n`;
}

const imports = (verb: string, names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : `${verb} ${list(names)}.`;

function list(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** In lines of at most 120 characters, as the pages that are written by hand. */
function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length > 120) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join("\n");
}
