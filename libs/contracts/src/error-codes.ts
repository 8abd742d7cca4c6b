/**
 * Every error code of the product and what it means. `user` errors come from the user's input; `system` errors from the
 * harness or from systems outside of it.
 */
export const errorCodes = {
  "invalid-request": { kind: "user", doc: "a request with wrong fields; the message names each of them" },
  "invalid-config": { kind: "user", doc: "an environment variable or file of configuration is wrong" },
  "invalid-message": { kind: "system", doc: "a message on the bus that does not match its schema" },
  "unknown-environment": { kind: "user", doc: "no environment of that name is registered" },
  "unknown-failure": { kind: "user", doc: "no fault of that name is in the library" },
  "unknown-method": { kind: "user", doc: "no method of that name is registered" },
  "unknown-policy": { kind: "user", doc: "no playbook policy of that name is registered" },
  "unknown-model": { kind: "user", doc: "no model of that name is configured" },
  "unknown-cluster": { kind: "user", doc: "no cluster of that name is registered" },
  "unknown-experiment": { kind: "user", doc: "no experiment of that id is known" },
  "invalid-environment": { kind: "user", doc: "an environment file that does not match its format" },
  "invalid-catalogue": { kind: "user", doc: "an entry of the catalogue, or its folder, is wrong" },
  "unknown-entry": { kind: "user", doc: "the catalogue has no entry of that kind and name" },
  "unknown-dead-letter": { kind: "user", doc: "no dead letter of that number is stored" },
  "deadline-exceeded": { kind: "system", doc: "a condition was not met in time" },
  "start-failed": { kind: "system", doc: "a service ended while it started; its log says why" },
  "stale-lease": { kind: "system", doc: "the arena has been leased again in the meantime" },
  "version-conflict": { kind: "system", doc: "the record changed since it was read" },
  "cluster-unreachable": { kind: "system", doc: "the cluster's API did not answer" },
  "cluster-refused": { kind: "system", doc: "the cluster's API answered with an error" },
  "environment-unhealthy": {
    kind: "system",
    doc: "the environment did not become healthy after its deployment",
  },
  "restore-failed": { kind: "system", doc: "the arena could not be restored to its baseline" },
  "fault-expired": { kind: "system", doc: "the fault ended by itself before the verdict" },
  "model-unreachable": { kind: "system", doc: "the model's endpoint could not be reached or timed out" },
  "model-refused": {
    kind: "system",
    doc: "the model's endpoint answered with an error (401, 403, 404, 400)",
  },
  "model-overloaded": {
    kind: "system",
    doc: "the model's endpoint asked for a later retry (429, 5xx), or keeps failing",
  },
  "model-garbled": {
    kind: "system",
    doc: "the model's endpoint answered with something other than a chat completion",
  },
  "model-context-exceeded": {
    kind: "system",
    doc: "the conversation no longer fits into the model's context",
  },
  "not-recorded": { kind: "system", doc: "a cassette has no answer to this conversation" },
  "executor-unavailable": { kind: "system", doc: "no executor answered" },
  "not-simulated": {
    kind: "system",
    doc: "a driver in process cannot do what was asked of it, and the real one can",
  },
  "missing-tool": { kind: "user", doc: "a program that the product needs is not installed" },
  "bus-unreachable": { kind: "system", doc: "NATS did not answer" },
  "state-unreachable": { kind: "system", doc: "Redis did not answer" },
  internal: { kind: "system", doc: "a defect of the product; please report it" },
} as const satisfies Record<string, { kind: "user" | "system"; doc: string }>;

/** The code of an error: what programs decide by. The message is for people. */
export type ErrorCode = keyof typeof errorCodes;
