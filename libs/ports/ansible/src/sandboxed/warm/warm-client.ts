/**
 * The program in a sandbox that asks the warm runner, on its standard input, to run its arguments in its place: with
 * its namespaces, limits, environment and output. It ends as that run ends. Where the runner does not take it on, and
 * so has not run anything, it becomes the plain command itself.
 *
 * 137 is what a shell says of a command that was killed, which is what a run without an end has been.
 */
const client = `exec 2>&1
trap "" PIPE
printf '%s\\0' $# "$@" >&0
read -r word
if [ "$word" = started ]; then
  read -r code
  exit "\${code:-137}"
fi
trap - PIPE
exec "$@" </dev/null`;

/** Argument list that runs a program through the warm runner whose connection is standard input. */
export function throughWarmRunner(argv: readonly string[]): string[] {
  return ["/bin/bash", "-c", client, "bash", ...argv];
}
