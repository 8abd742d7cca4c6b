import { isDeepStrictEqual } from "node:util";
import { applyFilter } from "./filters.ts";
import { notInterpreted, TemplateError } from "./template-error.ts";
import { type Token, tokensOf } from "./tokens.ts";
import { isTrue, isUndefined, textOf, Undefined } from "./values.ts";

export type Variables = Readonly<Record<string, unknown>>;

const constants: Variables = { true: true, True: true, false: false, False: false, none: null, None: null };
const maxDepth = 100;

/**
 * The value of a Jinja expression over plain data: names, attributes, items, literals, comparisons, `and or not in is`,
 * `x if y else z`, arithmetic, and a fixed set of filters. Nothing of JavaScript can be reached from it: only own
 * properties of data are read, and only the filters of `filters.ts` are called.
 */
export function evaluateExpression(text: string, variables: Variables): unknown {
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;

  const peek = (): Token | undefined => tokens[at];
  const is = (word: string): boolean => peek()?.text === word && peek()?.kind !== "string";
  const take = (word: string): boolean => {
    if (!is(word)) return false;
    at += 1;
    return true;
  };
  const expect = (word: string): void => {
    if (!take(word))
      throw new TemplateError(`template error: expected ${JSON.stringify(word)} in ${JSON.stringify(text)}`);
  };

  function ternary(): unknown {
    if (++depth > maxDepth) throw new TemplateError("the expression is nested too deeply");
    const value = or();
    depth -= 1;
    if (!take("if")) return value;
    const condition = isTrue(or());
    const other = take("else") ? ternary() : "";
    return condition ? value : other;
  }
  function or(): unknown {
    let value = and();
    while (take("or")) {
      const right = and();
      value = !isUndefined(value) && isTrue(value) ? value : right;
    }
    return value;
  }
  function and(): unknown {
    let value = not();
    while (take("and")) {
      const right = not();
      value = isTrue(value) ? right : value;
    }
    return value;
  }
  const not = (): unknown => (take("not") ? !isTrue(not()) : comparison());

  function comparison(): unknown {
    let value = sum();
    for (;;) {
      const operator = peek()?.text ?? "";
      if (take("is")) value = test(value);
      else if (is("not") && tokens[at + 1]?.text === "in") {
        at += 2;
        value = !contains(sum(), value);
      } else if (take("in")) value = contains(sum(), value);
      else if (peek()?.kind === "operator" && ["==", "!=", "<", ">", "<=", ">="].includes(operator)) {
        at += 1;
        value = compare(value, operator, sum());
      } else return value;
    }
  }
  function test(value: unknown): boolean {
    const negated = take("not");
    const name = peek()?.text ?? "";
    at += 1;
    return runTest(name, value) !== negated;
  }
  function sum(): unknown {
    let value = product();
    for (;;) {
      if (take("+")) value = add(value, product());
      else if (take("-")) value = number(value) - number(product());
      else if (take("~")) value = textOf(value) + textOf(product());
      else return value;
    }
  }
  function product(): unknown {
    let value = unary();
    for (;;) {
      if (take("*")) value = number(value) * number(unary());
      else if (take("/")) value = number(value) / number(unary());
      else if (take("//")) value = Math.floor(number(value) / number(unary()));
      else if (take("%")) value = number(value) % number(unary());
      else return value;
    }
  }
  const unary = (): unknown => (take("-") ? -number(unary()) : filtered());

  function filtered(): unknown {
    let value = postfix();
    while (take("|")) {
      let name = peek()?.text ?? "";
      at += 1;
      while (take(".")) name += `.${tokens[at++]?.text ?? ""}`;
      value = applyFilter(name, value, take("(") ? callArguments() : []);
    }
    return value;
  }
  function callArguments(): unknown[] {
    const found: unknown[] = [];
    while (!take(")")) {
      // `map(attribute='x')`: the name stands as an argument of its own.
      if (peek()?.kind === "name" && tokens[at + 1]?.text === "=") throw notInterpreted("a named argument");
      found.push(ternary());
      if (!is(")")) expect(",");
    }
    return found;
  }
  function postfix(): unknown {
    let value = primary();
    for (;;) {
      if (take(".")) {
        const name = peek()?.text ?? "";
        at += 1;
        value = is("(") ? method(value, name) : member(value, name);
      } else if (take("[")) {
        const key = ternary();
        expect("]");
        value = member(value, key);
      } else return value;
    }
  }
  function method(value: unknown, name: string): unknown {
    expect("(");
    const args = callArguments();
    const known = ["split", "replace", "lower", "upper"];
    if (name === "strip") return applyFilter("trim", value, []);
    if (name === "startswith") return textOf(value).startsWith(textOf(args[0]));
    if (name === "get") {
      const found = member(value, args[0]);
      return isUndefined(found) ? (args[1] ?? null) : found;
    }
    if (known.includes(name)) return applyFilter(name, value, args);
    throw notInterpreted(`the method ${name}()`);
  }
  function primary(): unknown {
    const token = peek();
    if (!token) throw new TemplateError(`template error: ${JSON.stringify(text)} ends too early`);
    at += 1;
    if (token.kind === "string") return token.text;
    if (token.kind === "number") return Number(token.text);
    if (token.text === "(") {
      const value = ternary();
      expect(")");
      return value;
    }
    if (token.text === "[") return list();
    if (token.text === "{") return mapping();
    if (token.kind !== "name")
      throw new TemplateError(
        `template error: unexpected ${JSON.stringify(token.text)} in ${JSON.stringify(text)}`,
      );
    if (is("(")) throw notInterpreted(`the function ${token.text}()`);
    if (Object.hasOwn(constants, token.text)) return constants[token.text];
    return Object.hasOwn(variables, token.text) ? variables[token.text] : new Undefined(`'${token.text}'`);
  }
  function list(): unknown[] {
    const found: unknown[] = [];
    while (!take("]")) {
      found.push(ternary());
      if (!is("]")) expect(",");
    }
    return found;
  }
  function mapping(): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    while (!take("}")) {
      const key = textOf(ternary());
      expect(":");
      entries.push([key, ternary()]);
      if (!is("}")) expect(",");
    }
    return Object.fromEntries(entries);
  }

  const value = ternary();
  if (at < tokens.length)
    throw new TemplateError(
      `template error: unexpected ${JSON.stringify(tokens[at]?.text)} in ${JSON.stringify(text)}`,
    );
  return value;
}

function number(value: unknown): number {
  if (isUndefined(value)) throw value.error;
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  throw new TemplateError(`unsupported operand: ${textOf(value)} is no number`);
}

function add(left: unknown, right: unknown): unknown {
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (typeof left === "string" && typeof right === "string") return left + right;
  return number(left) + number(right);
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  for (const side of [left, right]) if (isUndefined(side)) throw side.error;
  if (operator === "==") return isDeepStrictEqual(left, right);
  if (operator === "!=") return !isDeepStrictEqual(left, right);
  const sides =
    typeof left === "string" && typeof right === "string" ? [left, right] : [number(left), number(right)];
  const [a = 0, b = 0] = sides;
  return operator === "<" ? a < b : operator === ">" ? a > b : operator === "<=" ? a <= b : a >= b;
}

function contains(whole: unknown, part: unknown): boolean {
  if (isUndefined(whole)) throw whole.error;
  if (Array.isArray(whole)) return whole.some((item) => isDeepStrictEqual(item, part));
  if (typeof whole === "string") return whole.includes(textOf(part));
  return typeof whole === "object" && whole !== null && Object.hasOwn(whole, textOf(part));
}

/** Own properties of data alone: never what JavaScript itself has. */
function member(value: unknown, key: unknown): unknown {
  if (isUndefined(value)) return value;
  const missing = new Undefined(
    `'${typeof value === "object" ? "dict object" : typeof value}' has no attribute '${textOf(key)}', it`,
  );
  if (Array.isArray(value)) return (typeof key === "number" ? value.at(key) : undefined) ?? missing;
  if (typeof value === "string") return typeof key === "number" ? (value.at(key) ?? missing) : missing;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, textOf(key))) return missing;
  return (value as Record<string, unknown>)[textOf(key)];
}

function runTest(name: string, value: unknown): boolean {
  if (name === "defined") return !isUndefined(value);
  if (name === "undefined") return isUndefined(value);
  if (isUndefined(value)) throw value.error;
  const flag = (key: string): boolean => isTrue((value as Record<string, unknown> | null)?.[key] ?? false);
  switch (name) {
    case "none":
      return value === null;
    case "failed":
      return flag("failed");
    case "succeeded":
    case "success":
      return !flag("failed");
    case "changed":
      return flag("changed");
    case "skipped":
      return flag("skipped");
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "mapping":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      throw notInterpreted(`the test "is ${name}"`);
  }
}
