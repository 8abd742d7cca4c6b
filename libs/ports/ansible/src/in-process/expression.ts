import { type Cursor, createCursor, type Variables } from "./cursor.ts";
import { applyFilter } from "./filters.ts";
import { add, compare, contains, member, number, runTest } from "./operations.ts";
import { notInterpreted, TemplateError } from "./template-error.ts";
import { isTrue, isUndefined, textOf, Undefined } from "./values.ts";

/** A part of an expression that was read: gives its value when it is needed, and fails only then. */
type Part = () => unknown;

const constants: Variables = { true: true, True: true, false: false, False: false, none: null, None: null };
const maxDepth = 100;
const maxLength = 10_000;

/**
 * The value of a Jinja expression over plain data: names, attributes, items, literals, comparisons, `and or not in is`,
 * `x if y else z`, arithmetic, and a fixed set of filters. Nothing of JavaScript can be reached from it: only own
 * properties of data are read, and only the filters of `filters.ts` are called.
 */
export function evaluateExpression(text: string, variables: Variables): unknown {
  if (text.length > maxLength) throw notInterpreted(`an expression of more than ${maxLength} characters`);
  const c = createCursor(text, variables);
  const value = ternary(c);
  const rest = c.peek();
  if (rest) throw unexpected(c, rest.text);
  return value();
}

const unexpected = (c: Cursor, what: string): TemplateError =>
  new TemplateError(`template error: unexpected ${JSON.stringify(what)} in ${JSON.stringify(c.text)}`);

function ternary(c: Cursor): Part {
  c.depth += 1;
  if (c.depth > maxDepth) throw new TemplateError("the expression is nested too deeply");
  const value = or(c);
  c.depth -= 1;
  if (!c.take("if")) return value;
  const condition = or(c);
  const other = c.take("else") ? ternary(c) : () => "";
  return () => (isTrue(condition()) ? value() : other());
}

function or(c: Cursor): Part {
  const left = and(c);
  if (!c.take("or")) return left;
  const right = or(c);
  return () => {
    const value = left();
    return isTrue(value) ? value : right();
  };
}

function and(c: Cursor): Part {
  const left = not(c);
  if (!c.take("and")) return left;
  const right = and(c);
  return () => {
    const value = left();
    return isTrue(value) ? right() : value;
  };
}

function not(c: Cursor): Part {
  if (!c.take("not")) return comparison(c);
  const value = not(c);
  return () => !isTrue(value());
}

const comparisons = ["==", "!=", "<", ">", "<=", ">="];

function comparison(c: Cursor): Part {
  let left = sum(c);
  for (;;) {
    const value = left;
    const operator = c.peek()?.text ?? "";
    if (c.take("is")) {
      const negated = c.take("not");
      const name = c.next();
      left = () => runTest(name, value()) !== negated;
    } else if (c.is("not") && c.after()?.text === "in") {
      c.skip();
      c.skip();
      const whole = sum(c);
      left = () => !contains(whole(), value());
    } else if (c.take("in")) {
      const whole = sum(c);
      left = () => contains(whole(), value());
    } else if (c.peek()?.kind === "operator" && comparisons.includes(operator)) {
      c.skip();
      const right = sum(c);
      left = () => compare(value(), operator, right());
    } else return left;
  }
}

type Operation = (left: unknown, right: unknown) => unknown;

const sums: Readonly<Record<string, Operation>> = {
  "+": add,
  "-": (left, right) => number(left) - number(right),
  "~": (left, right) => textOf(left) + textOf(right),
};
const products: Readonly<Record<string, Operation>> = {
  "*": (left, right) => number(left) * number(right),
  "/": (left, right) => number(left) / number(right),
  "//": (left, right) => Math.floor(number(left) / number(right)),
  "%": (left, right) => number(left) % number(right),
};

function chain(
  c: Cursor,
  operations: Readonly<Record<string, Operation>>,
  operand: (c: Cursor) => Part,
): Part {
  let left = operand(c);
  for (;;) {
    const token = c.peek();
    const operation =
      token?.kind === "operator" && Object.hasOwn(operations, token.text)
        ? operations[token.text]
        : undefined;
    if (!operation) return left;
    c.skip();
    const [value, right] = [left, operand(c)];
    left = () => operation(value(), right());
  }
}

const sum = (c: Cursor): Part => chain(c, sums, product);
const product = (c: Cursor): Part => chain(c, products, unary);

function unary(c: Cursor): Part {
  if (!c.take("-")) return filtered(c);
  const value = unary(c);
  return () => -number(value());
}

function filtered(c: Cursor): Part {
  let left = postfix(c);
  while (c.take("|")) {
    let name = c.next();
    while (c.take(".")) name += `.${c.next()}`;
    const value = left;
    const args = c.take("(") ? callArguments(c) : [];
    left = () =>
      applyFilter(
        name,
        value(),
        args.map((arg) => arg()),
      );
  }
  return left;
}

function callArguments(c: Cursor): Part[] {
  const found: Part[] = [];
  while (!c.take(")")) {
    if (c.peek()?.kind === "name" && c.after()?.text === "=") throw notInterpreted("a named argument");
    found.push(ternary(c));
    if (!c.is(")")) c.expect(",");
  }
  return found;
}

function postfix(c: Cursor): Part {
  let left = primary(c);
  for (;;) {
    const value = left;
    if (c.take(".")) {
      const name = c.next();
      left = c.take("(") ? method(value, name, callArguments(c)) : () => member(value(), name);
    } else if (c.take("[")) {
      const key = ternary(c);
      c.expect("]");
      left = () => member(value(), key());
    } else return left;
  }
}

const filtersAsMethods = ["split", "replace", "lower", "upper"];

function method(value: Part, name: string, args: readonly Part[]): Part {
  const given = (): unknown[] => args.map((arg) => arg());
  if (name === "strip") return () => applyFilter("trim", value(), []);
  if (name === "startswith") return () => textOf(value()).startsWith(textOf(given()[0]));
  if (filtersAsMethods.includes(name)) return () => applyFilter(name, value(), given());
  if (name !== "get") throw notInterpreted(`the method ${name}()`);
  return () => {
    const found = member(value(), given()[0]);
    return isUndefined(found) ? (given()[1] ?? null) : found;
  };
}

function primary(c: Cursor): Part {
  const token = c.peek();
  if (!token) throw new TemplateError(`template error: ${JSON.stringify(c.text)} ends too early`);
  const { kind, text } = token;
  c.skip();
  if (kind === "string") return () => text;
  if (kind === "number") return () => Number(text);
  if (text === "(") {
    const value = ternary(c);
    c.expect(")");
    return value;
  }
  if (text === "[") return list(c);
  if (text === "{") return mapping(c);
  if (kind !== "name") throw unexpected(c, text);
  if (c.is("(")) throw notInterpreted(`the function ${text}()`);
  if (Object.hasOwn(constants, text)) return () => constants[text];
  return () => (Object.hasOwn(c.variables, text) ? c.variables[text] : new Undefined(`'${text}'`));
}

function list(c: Cursor): Part {
  const found: Part[] = [];
  while (!c.take("]")) {
    found.push(ternary(c));
    if (!c.is("]")) c.expect(",");
  }
  return () => found.map((item) => item());
}

function mapping(c: Cursor): Part {
  const entries: (readonly [Part, Part])[] = [];
  while (!c.take("}")) {
    const key = ternary(c);
    c.expect(":");
    entries.push([key, ternary(c)]);
    if (!c.is("}")) c.expect(",");
  }
  return () => Object.fromEntries(entries.map(([key, value]) => [textOf(key()), value()]));
}
