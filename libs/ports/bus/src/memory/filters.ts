/** Whether a filter with NATS wildcards (`*` one token, `>` all that follow) takes a subject. */
export function takes(filter: string, subject: string): boolean {
  const [wanted, tokens] = [filter.split("."), subject.split(".")];
  for (const [i, token] of wanted.entries()) {
    if (token === ">") return tokens.length > i;
    if (i >= tokens.length || (token !== "*" && token !== tokens[i])) return false;
  }
  return wanted.length === tokens.length;
}

/** Whether some subject is taken by both filters. */
export function overlap(a: string, b: string): boolean {
  const [left, right] = [a.split("."), b.split(".")];
  for (const [i, token] of left.entries()) {
    const other = right[i];
    if (other === undefined) return false;
    if (token === ">" || other === ">") return true;
    if (token !== "*" && other !== "*" && token !== other) return false;
  }
  return left.length === right.length;
}
