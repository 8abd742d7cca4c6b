import { type ASTNode, Environment, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import { addFunctions } from "./functions.ts";

/** A parsed expression. */
export interface Expression {
  /** Throws EvaluationError. */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
  readonly usesOldSelf: boolean;
  /** The most nodes that an evaluation can visit where no list or map has more than `largest` elements. */
  cost(largest: number): number;
}

/** Why a text is no expression. */
export interface ExpressionError {
  readonly text: string;
  /** Where in the text, from 0 on. */
  readonly at: number;
}

const limits = { maxAstNodes: 2000, maxDepth: 50, maxListElements: 200, maxMapEntries: 200 };

/** `oldSelf` is an optional value in rules that say so. */
export type OldSelf = "dyn" | "optional";

function createEnvironment(oldSelf: OldSelf): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits,
  });
  environment.registerVariable("self", "dyn").registerVariable("oldSelf", oldSelf);
  addFunctions(environment);
  return environment;
}

const created = new Map<OldSelf, Environment>();

/** Made when the first rule is met: most clusters have none. */
function environmentFor(oldSelf: OldSelf): Environment {
  const environment = created.get(oldSelf) ?? createEnvironment(oldSelf);
  created.set(oldSelf, environment);
  return environment;
}

const loops = new Set(["all", "exists", "exists_one", "map", "filter"]);

interface Size {
  nodes: number;
  depth: number;
  usesOldSelf: boolean;
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

function measure(node: unknown, depth: number, size: Size): void {
  if (Array.isArray(node)) {
    for (const each of node) measure(each, depth, size);
    return;
  }
  if (!isNode(node)) return;
  size.nodes++;
  size.depth = Math.max(size.depth, depth);
  if (node.op === "id" && node.args === "oldSelf") size.usesOldSelf = true;
  const isLoop = node.op === "rcall" && loops.has(node.args[0]);
  measure(node.args, isLoop ? depth + 1 : depth, size);
}

const known = new Map<string, Expression | ExpressionError>();
const maxKnown = 1000;

function parse(text: string, oldSelf: OldSelf): Expression | ExpressionError {
  try {
    const parsed = environmentFor(oldSelf).parse(text);
    const size: Size = { nodes: 0, depth: 0, usesOldSelf: false };
    measure(parsed.ast, 0, size);
    const checked = parsed.check();
    if (checked.error?.code === "unknown_variable") {
      const name = checked.error.summary.replace("Unknown variable: ", "");
      const at = checked.error.range?.start ?? 0;
      return { text: `undeclared reference to '${name}' (in container '')`, at };
    }
    return {
      evaluate: (variables) => parsed({ ...variables }),
      usesOldSelf: size.usesOldSelf,
      cost: (largest) => size.nodes * Math.max(1, largest) ** size.depth,
    };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { text: `Syntax error: ${error.summary}`, at: error.range?.start ?? 0 };
  }
}

/** An expression of `self` and `oldSelf` in the Common Expression Language, or why it is none. */
export function parseExpression(text: string, oldSelf: OldSelf = "dyn"): Expression | ExpressionError {
  const key = `${oldSelf} ${text}`;
  const expression = known.get(key) ?? parse(text, oldSelf);
  if (known.size >= maxKnown) known.clear();
  known.set(key, expression);
  return expression;
}

/** Functions that are not known here are met when an expression runs. */
export function isUnknownFunction(error: unknown): boolean {
  return error instanceof EvaluationError && error.code === "no_matching_overload";
}

/** A duration (`1h30m`) as a value of the language; undefined when it is none. */
export function durationOf(text: string): unknown {
  try {
    return environmentFor("dyn").evaluate(`duration(${JSON.stringify(text)})`);
  } catch {
    return undefined;
  }
}
