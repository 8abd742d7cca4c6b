/** What Kubernetes takes as a label's value, by which autoscalers choose metrics. */
const longestValue = 63;

/**
 * The name of a consumer's queue as a label's value: stage and shard, with dots for the equals signs of their names
 * (`remediator-commands_solve_gpt-4=2e1` -> `solve_gpt-4.2e1`), cut where Kubernetes takes no more.
 */
export function queueLabel(consumer: string): string {
  const name = consumer.replace(/^[a-z]+-commands_/, "").replaceAll("=", ".");
  return name.slice(0, longestValue).replace(/[^A-Za-z0-9]+$/, "");
}
