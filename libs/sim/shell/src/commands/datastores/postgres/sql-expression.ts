import type { TokenReader } from "./sql-tokens.ts";
import { Interval, rankOf, SqlError, type SqlValue, Timestamp, textOf } from "./sql-values.ts";

/** A row with its columns by name, and by `alias.name`. */
export type Row = ReadonlyMap<string, SqlValue>;
export type Expression = (row: Row) => SqlValue;
/** Functions by name, and casts by `::type`. */
export type Functions = Readonly<Record<string, (...args: readonly SqlValue[]) => SqlValue>>;

const isTrue = (value: SqlValue): boolean => value === true || value === "t" || value === "true";

/** Reads an expression: AND, OR, NOT, comparisons, IN, LIKE, IS NULL, casts, calls of functions, `-` and `||`. */
export function readExpression(tokens: TokenReader, functions: Functions): Expression {
  return new ExpressionReader(tokens, functions).either();
}

/** By descent: what binds weakest comes first. */
class ExpressionReader {
  readonly #tokens: TokenReader;
  readonly #functions: Functions;
  constructor(tokens: TokenReader, functions: Functions) {
    this.#tokens = tokens;
    this.#functions = functions;
  }

  either(): Expression {
    let left = this.#both();
    while (this.#tokens.takes("or")) {
      const [one, other] = [left, this.#both()];
      left = (row) => isTrue(one(row)) || isTrue(other(row));
    }
    return left;
  }
  #both(): Expression {
    let left = this.#negated();
    while (this.#tokens.takes("and")) {
      const [one, other] = [left, this.#negated()];
      left = (row) => isTrue(one(row)) && isTrue(other(row));
    }
    return left;
  }
  #negated(): Expression {
    if (!this.#tokens.takes("not")) return this.#compared();
    const one = this.#negated();
    return (row) => !isTrue(one(row));
  }
  #compared(): Expression {
    const left = this.#summed();
    if (this.#tokens.takes("is")) {
      const not = this.#tokens.takes("not");
      this.#tokens.expect("null");
      return (row) => (left(row) === null) !== not;
    }
    const not = this.#tokens.takes("not");
    const said = (is: (row: Row) => boolean): Expression => {
      return (row) => (left(row) === null ? null : is(row) !== not);
    };
    if (this.#tokens.takes("in")) {
      const some = this.#list();
      return said((row) => some.some((one) => rankOf(one(row)) === rankOf(left(row))));
    }
    if (this.#tokens.takes("like") || this.#tokens.takes("ilike")) {
      const pattern = this.#summed();
      return said((row) => isLike(textOf(left(row)), textOf(pattern(row))));
    }
    if (this.#tokens.takes("~")) {
      const pattern = this.#summed();
      return said((row) => textOf(left(row)).includes(textOf(pattern(row))));
    }
    if (not) this.#tokens.fail();
    for (const [sign, holds] of comparisons) {
      if (!this.#tokens.takes(sign)) continue;
      const right = this.#summed();
      return (row) => {
        const [one, other] = [left(row), right(row)];
        return one === null || other === null ? null : holds(...aligned(one, other));
      };
    }
    return left;
  }
  #summed(): Expression {
    let left = this.#cast();
    for (;;) {
      if (this.#tokens.takes("-")) {
        const [one, other] = [left, this.#cast()];
        left = (row) => minus(one(row), other(row));
      } else if (this.#tokens.takes("||")) {
        const [one, other] = [left, this.#cast()];
        left = (row) => `${textOf(one(row))}${textOf(other(row))}`;
      } else return left;
    }
  }
  #cast(): Expression {
    let value = this.#single();
    while (this.#tokens.takes("::")) {
      const type = `::${this.#tokens.take().text}`;
      const inner = value;
      const run = Object.hasOwn(this.#functions, type) ? this.#functions[type] : undefined;
      value = run ? (row) => run(inner(row)) : inner;
    }
    return value;
  }
  #list(): Expression[] {
    this.#tokens.expect("(");
    const some: Expression[] = [];
    if (this.#tokens.takes(")")) return some;
    do some.push(this.either());
    while (this.#tokens.takes(","));
    this.#tokens.expect(")");
    return some;
  }
  #single(): Expression {
    if (this.#tokens.takes("(")) {
      const inner = this.either();
      this.#tokens.expect(")");
      return inner;
    }
    if (this.#tokens.takes("-")) {
      const inner = this.#cast();
      return (row) => minus(0, inner(row));
    }
    const { type, text } = this.#tokens.take();
    if (type === "text") return () => text;
    if (type === "number") return () => Number(text);
    if (type !== "name") throw new SqlError(`syntax error at or near "${text}"`);
    if (text === "null") return () => null;
    if (text === "true" || text === "false") return () => text === "true";
    // interval '5 minutes'
    if (text === "interval" && this.#tokens.next?.type === "text") {
      const ms = intervalMs(this.#tokens.take().text);
      return () => new Interval(ms);
    }
    if (this.#tokens.next?.text === "(" && this.#tokens.next.type === "sign") return this.#called(text);
    if (this.#isBare(text)) return this.#called(text, true);
    return this.#column(text);
  }
  #isBare(name: string): boolean {
    return bareFunctions.has(name) && this.#tokens.next?.text !== ".";
  }
  #called(name: string, isWithout = false): Expression {
    const run = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
    const args = isWithout ? [] : this.#list();
    if (!run) throw new SqlError(`function ${name}() does not exist`);
    return (row) => run(...args.map((one) => one(row)));
  }
  #column(first: string): Expression {
    const name = this.#tokens.takes(".") ? `${first}.${this.#tokens.take().text}` : first;
    return (row) => {
      const value = row.get(name);
      if (value === undefined) throw new SqlError(`column "${name}" does not exist`);
      return value;
    };
  }
}

/** Functions that are called without parentheses. */
const bareFunctions = new Set(["current_user", "session_user", "user", "current_timestamp"]);

type Rank = number | string;
const comparisons: readonly (readonly [string, (one: Rank, other: Rank) => boolean])[] = [
  ["=", (one, other) => one === other],
  ["<>", (one, other) => one !== other],
  ["!=", (one, other) => one !== other],
  ["<=", (one, other) => one <= other],
  [">=", (one, other) => one >= other],
  ["<", (one, other) => one < other],
  [">", (one, other) => one > other],
];

/** A number and a text are compared as numbers, a truth and a text as PostgreSQL writes truths. */
function aligned(one: SqlValue, other: SqlValue): [Rank, Rank] {
  const [a, b] = [rankOf(one), rankOf(other)];
  if (typeof a === typeof b) return [a, b];
  return [Number(a), Number(b)];
}

function minus(one: SqlValue, other: SqlValue): SqlValue {
  if (one === null || other === null) return null;
  if (one instanceof Timestamp && other instanceof Timestamp) return new Interval(one.at - other.at);
  if (one instanceof Timestamp && other instanceof Interval) return new Timestamp(one.at - other.ms);
  return Number(one) - Number(other);
}

const units: Readonly<Record<string, number>> = { sec: 1, min: 60, hou: 3600, day: 86_400 };
const intervalMs = (text: string): number =>
  [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]{3})/gi)].reduce(
    (sum, [, count, unit = ""]) => sum + 1000 * Number(count) * (units[unit.toLowerCase()] ?? 0),
    0,
  );

/** `%` any text, `_` any letter. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.toLowerCase().split("%");
  const lower = text.toLowerCase();
  const fits = (part: string, at: number): boolean =>
    [...part].every((letter, i) => letter === "_" || letter === lower[at + i]);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const last = isLast ? lower.length - part.length : lower.length;
    let from = isLast && index > 0 ? Math.max(at, last) : at;
    while (from <= last && !(fits(part, from) && from + part.length <= lower.length)) {
      if (index === 0) return false;
      from++;
    }
    if (from > last) return false;
    at = from + part.length;
  }
  return at === lower.length || pattern.endsWith("%");
}
