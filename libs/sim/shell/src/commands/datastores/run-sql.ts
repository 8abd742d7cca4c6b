import { accountStatements } from "./account-statements.ts";
import { serverStatements } from "./server-statements.ts";
import { failed, type SqlResult, type SqlSession } from "./sql-session.types.ts";

const forms = [...accountStatements, ...serverStatements];
/** Statements on tables, which are not simulated. */
const onTables =
  /^(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|SHOW|DESC|DESCRIBE|EXPLAIN|LOCK|UNLOCK|TRUNCATE|ANALYZE|OPTIMIZE|BEGIN|START|COMMIT|ROLLBACK)\b/i;

/** The statements of a text, without what ends them; `isVertical`: ended by `\G`. */
export function statementsIn(text: string): { readonly sql: string; readonly isVertical: boolean }[] {
  const found: { readonly sql: string; readonly isVertical: boolean }[] = [];
  let quote = "";
  let sql = "";
  const end = (isVertical: boolean): void => {
    if (sql.trim() !== "") found.push({ sql: sql.trim(), isVertical });
    sql = "";
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === "'" || letter === '"' || letter === "`") quote = letter;
    else if (letter === ";") {
      end(false);
      continue;
    } else if (letter === "\\" && text[at + 1] === "G") {
      end(true);
      at++;
      continue;
    }
    sql += letter;
  }
  end(false);
  return found;
}

/** Runs one statement in a session. */
export function runSql(session: SqlSession, sql: string): SqlResult {
  for (const form of forms) {
    const match = form.pattern.exec(sql);
    if (match) return form.run(session, match);
  }
  if (onTables.test(sql)) return { notSimulated: true };
  return failed(
    1064,
    "42000",
    `You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '${sql.slice(0, 80)}' at line 1`,
  );
}
