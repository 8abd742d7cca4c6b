/** Where the harness keeps what is its own: its orders, and the pods from which it measures. */
export const harnessNamespace = "microremed";
