import { accountStatements } from "./account-statements.ts";
import { serverStatements } from "./server-statements.ts";
import { failed, type SqlResult, type SqlSession } from "./sql-session.types.ts";

const forms = [...accountStatements, ...serverStatements];
/** Statements on tables, which are not simulated. */
const onTables =
  /^(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|SHOW|DESC|DESCRIBE|EXPLAIN|LOCK|UNLOCK|TRUNCATE|ANALYZE|OPTIMIZE|BEGIN|START|COMMIT|ROLLBACK)\b/i;

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
