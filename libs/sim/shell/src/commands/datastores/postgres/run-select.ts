import { type Expression, type Functions, type Row, readExpression } from "./sql-expression.ts";
import type { TokenReader } from "./sql-tokens.ts";
import { rankOf, SqlError, type SqlValue } from "./sql-values.ts";

/** A view of the server's: its columns in their order, and its rows. */
export interface Relation {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
}

/** The result of a query. */
export type Selected = Relation;

/** A relation by its name; undefined: it is none of the server's own. */
export type Relations = (name: string) => Relation | undefined;

interface Item {
  readonly name: string;
  readonly value: Expression | "*";
}

/** A relation of that name that is no view of the server's own: a table, whose rows are not simulated. */
export class NotSimulated extends Error {}

const ends = new Set([
  "from",
  "where",
  "order",
  "limit",
  "join",
  "inner",
  "left",
  "on",
  "as",
  "using",
  "asc",
  "desc",
]);

/** Runs what follows `SELECT`. Throws what the server says of what it does not know. */
export function runSelect(tokens: TokenReader, relations: Relations, functions: Functions): Selected {
  tokens.takes("distinct");
  const items: Item[] = [];
  do items.push(readItem(tokens, functions));
  while (tokens.takes(","));
  let { columns, rows } = tokens.takes("from") ? readFrom(tokens, relations, functions) : oneRow;
  if (tokens.takes("where")) {
    const holds = readExpression(tokens, functions);
    rows = rows.filter((row) => holds(row) === true);
  }
  if (tokens.takes("order", "by")) rows = sorted(tokens, rows, functions);
  const limit = tokens.takes("limit") ? Number(tokens.take().text) : Number.POSITIVE_INFINITY;
  if (!tokens.isDone) tokens.fail();
  const shown = rows.slice(0, limit);
  if (items.length === 1 && items[0]?.name === "count") return { columns: ["count"], rows: [[rows.length]] };
  const named = items.flatMap(({ name, value }) =>
    value === "*" ? columns.map((column) => ({ name: column, value: columnOf(column) })) : [{ name, value }],
  );
  return {
    columns: named.map(({ name }) => name),
    rows: shown.map((row) => named.map(({ value }) => value(row))),
  };
}

const oneRow: { readonly columns: readonly string[]; readonly rows: readonly Row[] } = {
  columns: [],
  rows: [new Map()],
};

const columnOf =
  (name: string): Expression =>
  (row) =>
    row.get(name) ?? null;

function readItem(tokens: TokenReader, functions: Functions): Item {
  if (tokens.takes("*")) return { name: "*", value: "*" };
  if (tokens.takes("count", "(", "*", ")")) return { name: "count", value: () => null };
  const { type, text = "?column?" } = tokens.next ?? {};
  const value = readExpression(tokens, functions);
  const name = type === "name" ? text : "?column?";
  if (tokens.takes("as")) return { name: tokens.take().text, value };
  const alias = tokens.next;
  if (alias?.type === "name" && !ends.has(alias.text)) return { name: tokens.take().text, value };
  return { name, value };
}

function readFrom(tokens: TokenReader, relations: Relations, functions: Functions) {
  let { columns, rows } = readRelation(tokens, relations);
  for (;;) {
    const isLeft = tokens.takes("left", "join") || tokens.takes("left", "outer", "join");
    if (!isLeft && !tokens.takes("join") && !tokens.takes("inner", "join") && !tokens.takes(","))
      return { columns, rows };
    const other = readRelation(tokens, relations);
    const fits = readCondition(tokens, functions);
    const empty: Row = new Map([...(other.keys ?? [])].map((key) => [key, null]));
    rows = rows.flatMap((row) => {
      const joined = other.rows
        .map((more) => new Map([...more, ...row]))
        .filter((one, i) => fits(one, row, other.rows[i] ?? one));
      return joined.length === 0 && isLeft ? [new Map([...empty, ...row])] : joined;
    });
    columns = [...columns, ...other.columns.filter((column) => !columns.includes(column))];
  }
}

type Fits = (joined: Row, left: Row, right: Row) => boolean;

function readCondition(tokens: TokenReader, functions: Functions): Fits {
  if (tokens.takes("on")) {
    const holds = readExpression(tokens, functions);
    return (joined) => holds(joined) === true;
  }
  if (!tokens.takes("using", "(")) return () => true;
  const column = tokens.take().text;
  tokens.expect(")");
  return (_, left, right) => left.get(column) === right.get(column);
}

function readRelation(tokens: TokenReader, relations: Relations) {
  let name = tokens.take().text;
  if (tokens.takes(".")) {
    const inner = tokens.take().text;
    name = name === "pg_catalog" ? inner : `${name}.${inner}`;
  }
  const relation = relations(name);
  if (!relation)
    throw name.startsWith("pg_") ? new SqlError(`relation "${name}" does not exist`) : new NotSimulated(name);
  tokens.takes("as");
  const alias = tokens.next?.type === "name" && !ends.has(tokens.next.text) ? tokens.take().text : name;
  const { columns } = relation;
  const rows = relation.rows.map(
    (values): Row =>
      new Map(
        columns.flatMap((column, i): [string, SqlValue][] => [
          [column, values[i] ?? null],
          [`${alias}.${column}`, values[i] ?? null],
        ]),
      ),
  );
  const keys = columns.flatMap((column) => [column, `${alias}.${column}`]);
  return { columns, rows, keys };
}

function sorted(tokens: TokenReader, rows: readonly Row[], functions: Functions): readonly Row[] {
  const keys: { readonly value: Expression; readonly sign: number }[] = [];
  do {
    const value = readExpression(tokens, functions);
    const sign = tokens.takes("desc") ? -1 : 1;
    tokens.takes("asc");
    keys.push({ value, sign });
  } while (tokens.takes(","));
  return rows.toSorted((a, b) => {
    for (const { value, sign } of keys) {
      const [one, other] = [rankOf(value(a)), rankOf(value(b))];
      if (one !== other) return one < other ? -sign : sign;
    }
    return 0;
  });
}
