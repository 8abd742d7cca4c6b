/** For an answer without any tool call. */
export const reminder = `Your answer called no tool, so nothing happened. Answer with a tool call: print_playbook with the complete playbook as its argument "playbook".`;

/** For a look when what it would need is used up. */
export const notRun = (usedUp: string): string => `Not run: ${usedUp} are used. Call print_playbook now.`;
