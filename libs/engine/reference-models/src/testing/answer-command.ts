/** What a shell prints for a command of `exec_shell`, joined ones included, by what it prints for each of them. */
export function answerCommand(command: string, printedBy: (one: string) => string): string {
  const parts = [
    ...command.matchAll(/^echo '(--- \d+)'\n\(\n([\s\S]*?)\n\)\necho "(--- end of \d+:) \$\?"$/gm),
  ];
  if (parts.length === 0) return printedBy(command);
  const lines = parts.map(([, begin, one = "", end]) => `${begin}\n${printedBy(one)}\n${end} 0`);
  return ["exit code 0", ...lines].join("\n");
}
