import { terminal } from "@microremed/core";

/** One instruction of a Dockerfile, as far as ours go. */
export type Instruction =
  | { readonly kind: "RUN"; readonly script: string }
  | {
      readonly kind: "COPY";
      readonly from: string | undefined;
      readonly sources: readonly string[];
      readonly target: string;
    }
  | { readonly kind: "WORKDIR"; readonly path: string }
  | { readonly kind: "ENV" | "ARG"; readonly name: string; readonly value: string | undefined }
  | { readonly kind: "USER"; readonly user: string }
  | { readonly kind: "CMD"; readonly argv: readonly string[] }
  | { readonly kind: "LABEL" };

export interface Stage {
  readonly name: string | undefined;
  /** As written: `${NODE}`. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export interface Dockerfile {
  /** ARGs before the first FROM. */
  readonly globals: readonly string[];
  readonly stages: readonly Stage[];
}

/** Reads a Dockerfile. Throws `invalid-config` at what it does not know: nothing is passed over. */
export function parseDockerfile(text: string, where: string): Dockerfile {
  const globals: string[] = [];
  const stages: { name: string | undefined; base: string; instructions: Instruction[] }[] = [];
  for (const line of logicalLines(text)) {
    const [, word = "", rest = ""] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
    if (word === "FROM") {
      const [base = "", , name] = rest.split(/\s+/);
      stages.push({ name, base, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    const instruction = parseInstruction(word, rest, where);
    if (stage) stage.instructions.push(instruction);
    else if (instruction.kind === "ARG") globals.push(instruction.name);
    else throw terminal("invalid-config", `${where}: ${word} before the first FROM`);
  }
  return { globals, stages };
}

/** Comments dropped, continued lines joined. */
function logicalLines(text: string): string[] {
  const kept = text.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  return kept
    .join("\n")
    .split(/(?<!\\)\n/)
    .map((line) => line.replaceAll(/\\\n/g, "").trim())
    .filter((line) => line !== "");
}

function parseInstruction(word: string, rest: string, where: string): Instruction {
  switch (word) {
    case "RUN":
      return { kind: "RUN", script: rest };
    case "COPY": {
      const words = rest.split(/\s+/);
      const from = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
      return { kind: "COPY", from, sources: words.slice(0, -1), target: words.at(-1) ?? "" };
    }
    case "WORKDIR":
      return { kind: "WORKDIR", path: rest };
    case "ENV":
    case "ARG": {
      const [name = "", ...value] = rest.split("=");
      const text = value.join("=").replace(/^"(.*)"$/s, "$1");
      return { kind: word, name, value: value.length === 0 ? undefined : text };
    }
    case "USER":
      return { kind: "USER", user: rest };
    case "CMD":
      return { kind: "CMD", argv: JSON.parse(rest) as string[] };
    case "LABEL":
      return { kind: "LABEL" };
    default:
      throw terminal("invalid-config", `${where}: instruction ${word} is not among those that are used here`);
  }
}
