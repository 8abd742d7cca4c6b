/** Whether a name is as one of the patterns says, in which `*` matches any characters. */
export function matchesPattern(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`).test(name);
  });
}
