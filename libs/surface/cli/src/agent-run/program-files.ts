import { readFileSync } from "node:fs";
import type { ProgramPlace, ProgramSurroundings } from "@microremed/sandbox";
import type { SessionClient, Turn } from "./session-client.ts";

/** Where a program writes its answer, below its home. */
const answerFile = "answer.json";
const problemFile = "problem.md";

/** What a program is started with, besides the place where it runs. */
export interface ProgramTask {
  readonly turn: Turn;
  readonly session: Pick<SessionClient, "id">;
  readonly worker: string;
  /** The endpoint's id of the model that it may call; undefined: none. */
  readonly model: string | undefined;
  /** Variables that the user wants it to have. */
  readonly env: Readonly<Record<string, string>>;
}

/** The files and variables of a program for one turn. */
export function surroundingsOf(task: ProgramTask, { home, url }: ProgramPlace): ProgramSurroundings {
  const { turn, session, worker, model, env } = task;
  const schema = answerSchema(turn);
  const { problem, attempt, task: name, mayAct, words, tools, limits } = turn;
  const described = { problem, attempt, task: name, mayAct, words, tools, limits, answer: schema ?? null };
  return {
    files: {
      [problemFile]: problemText(turn),
      "problem.json": `${JSON.stringify(described, null, 2)}\n`,
      "mcp.json": `${JSON.stringify({ mcpServers: { microremed: { type: "http", url: `${url}/mcp` } } })}\n`,
      ...texts,
    },
    programs: scripts.map(inBin),
    env: {
      MICROREMED_URL: url,
      MICROREMED_TOKEN: "none",
      MICROREMED_SESSION: session.id,
      MICROREMED_PROBLEM: problem,
      MICROREMED_WORKER: worker,
      MICROREMED_MCP_URL: `${url}/mcp`,
      MICROREMED_MCP_CONFIG: `${home}/mcp.json`,
      MICROREMED_PROBLEM_FILE: `${home}/${problemFile}`,
      MICROREMED_ANSWER_FILE: `${home}/${answerFile}`,
      ...(model !== undefined && {
        MICROREMED_MODEL: model,
        ...{ OPENAI_BASE_URL: `${url}/model/v1`, OPENAI_API_KEY: "none" },
        ...{ ANTHROPIC_BASE_URL: `${url}/model`, ANTHROPIC_API_KEY: "none" },
        ...{ GOOGLE_GEMINI_BASE_URL: `${url}/model`, GEMINI_API_KEY: "none" },
      }),
      ...env,
    },
  };
}

/** The schema of the answer that a turn asks for; undefined: the system is to be repaired. */
export function answerSchema({ tools }: Pick<Turn, "tools">): Readonly<Record<string, unknown>> | undefined {
  const schema = tools.find(({ name }) => name === "submit")?.parameters;
  const fields = schema?.["properties"];
  const isEmpty = typeof fields !== "object" || fields === null || Object.keys(fields).length === 0;
  return isEmpty ? undefined : schema;
}

/** The words of the problem, and what the program can do here. */
function problemText(turn: Turn): string {
  const schema = answerSchema(turn);
  const answer = schema
    ? `Write your answer as JSON to the file ${answerFile} in your home directory ($MICROREMED_ANSWER_FILE), and end. An answer is final. Its schema:\n\n${JSON.stringify(schema, null, 2)}`
    : "The system is measured when you end with exit code 0, or call the tool submit.";
  return `${turn.words.trimEnd()}

# How to work here

The command \`kubectl\` works on the system${turn.mayAct ? "" : ", and may only read"}. All tools are at the MCP server $MICROREMED_MCP_URL, too.
${turn.limits["probes"] === undefined ? "" : `At most ${String(turn.limits["probes"])} calls that observe are allowed. `}Nothing else of the network can be reached${turn.limits["seconds"] === undefined ? "" : `, and thinking and calls may take ${String(turn.limits["seconds"])} s`}.

${answer}
`;
}

/** Bash scripts that every program has: the first is what starts it. */
const scripts = ["start-program", "kubectl", "ask-range"] as const;

const inBin = (name: string): string => `bin/${name}`;

const texts = Object.fromEntries(
  scripts.map((name) => [inBin(name), readFileSync(new URL(`./programs/${name}`, import.meta.url), "utf8")]),
);

/** Words before a program's own: its standard input is the problem, and what it leaves in the file of its answer is handed out. */
export const startedBy = (argv: readonly string[]): [string, ...string[]] => ["start-program", ...argv];
