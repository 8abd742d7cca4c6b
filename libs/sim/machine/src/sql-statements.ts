/** One statement of a text, without what ends it. */
export interface SqlText {
  readonly sql: string;
  /** Ended by `\G`, which MySQL's client prints one field a line. */
  readonly isVertical: boolean;
}

/** The statements of a text. */
export function statementsIn(text: string): SqlText[] {
  const found: SqlText[] = [];
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
