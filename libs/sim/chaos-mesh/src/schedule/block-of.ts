/** `StressChaos` -> `stressChaos`, `DNSChaos` -> `dnsChaos`: the field of a Schedule that holds the experiment. */
export const blockOf = (kind: string): string =>
  kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (head) => head.toLowerCase());
