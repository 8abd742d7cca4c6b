/** Between the processes and the variables. No name of a process, which has 15 bytes, can hold it. */
export const variablesMark = "variables-of-the-first-program";

/**
 * Prints how long the machine has run, every process of a container, and what its first program started with: by two
 * programs, for images have few others.
 */
export const processesScript = `cat /proc/uptime /proc/[0-9]*/stat 2>/dev/null; echo ${variablesMark}; cat /proc/1/environ 2>/dev/null; [ -r /proc/1/stat ]`;

/** Prints what some processes run: the executable in a line, then the command with NUL characters between its words. */
export const commandsScript = (pids: readonly number[]): string => `
for pid in ${pids.join(" ")}; do
  readlink /proc/$pid/exe 2>/dev/null || echo
  head -c 4096 /proc/$pid/cmdline 2>/dev/null
  printf '\\036\\n'
done
`;
