/** What a code of `errorCodes` means to people and programs. */
export interface ErrorCodeEntry {
  /** `user`: the user's input is wrong. `system`: the harness, or a system outside of it, failed. */
  readonly kind: "user" | "system";
  /** `terminal`: the same input fails again. `retryable`: it may succeed later. `either`: the error itself says which. */
  readonly severity: "terminal" | "retryable" | "either";
  readonly doc: string;
  /** What a person can do about it. */
  readonly todo: string;
  /** It is a way in which work ends as it should: logs and metrics do not count it as an error. */
  readonly isNormal?: true;
}

/**
 * Every error code of the product, what it means and what to do. docs/reference/errors.md is made from it; a test compares
 * it with the errors that the code makes.
 */
export const errorCodes = {
  "invalid-request": {
    kind: "user",
    severity: "terminal",
    doc: "an argument or a request has wrong fields; the message names each of them",
    todo: "correct the named fields and submit the request again",
  },
  unauthorized: {
    kind: "user",
    severity: "terminal",
    doc: "a request to the gateway has no token that it knows",
    todo: "send `Authorization: Bearer <token>`; `microremed tokens create` makes one",
  },
  forbidden: {
    kind: "user",
    severity: "terminal",
    doc: "the token of a request to the gateway does not allow what was asked, or the page that asked is not allowed",
    todo: "use a token of the scope that the message names; GATEWAY_ORIGINS allows pages",
  },
  "unknown-session": {
    kind: "user",
    severity: "terminal",
    doc: "no session of that id is open, or another token opened it",
    todo: "open a session with `POST /v1/sessions`",
  },
  "turn-over": {
    kind: "user",
    severity: "terminal",
    doc: "an outside agent called a tool in a turn that is over, or in a problem that it does not have",
    todo: "ask for the next problem",
  },
  conflict: {
    kind: "user",
    severity: "terminal",
    doc: "a request to the gateway is well-formed, and what it is about is in another state: an id is another call's, an experiment has ended",
    todo: "do what the message says; the same request again is refused again",
  },
  "agent-lost": {
    kind: "user",
    severity: "terminal",
    doc: "an outside agent left its turn, or was silent for too long",
    todo: "send heartbeats while the agent thinks, or give it more time (`silenceSeconds`)",
  },
  "arena-given-back": {
    kind: "system",
    severity: "terminal",
    doc: "an outside agent did no work in its arena while others waited for one; its problem starts again on another one",
    todo: "call tools, or close sessions that are not needed; a heartbeat keeps an arena of who holds no more than others",
    isNormal: true,
  },
  "too-many-requests": {
    kind: "user",
    severity: "retryable",
    doc: "a token makes more requests than it may, in a minute or at once",
    todo: "wait as long as the header Retry-After says",
  },
  "invalid-config": {
    kind: "user",
    severity: "terminal",
    doc: "an environment variable or a configuration file is wrong",
    todo: "correct what the message names, then start the service or command again",
  },
  "invalid-message": {
    kind: "system",
    severity: "terminal",
    doc: "a message on the bus does not match its schema",
    todo: "check that all services have the same version; `microremed deadletters show` prints the message",
  },
  "unknown-environment": {
    kind: "user",
    severity: "terminal",
    doc: "no environment of that name is registered",
    todo: "`microremed environments` lists the names; pass your own with `--catalogue`",
  },
  "unknown-failure": {
    kind: "user",
    severity: "terminal",
    doc: "no fault or suite has that name",
    todo: "`microremed faults` lists the names",
  },
  "unknown-method": {
    kind: "user",
    severity: "terminal",
    doc: "no method of that name is registered",
    todo: "`microremed methods` lists the names",
  },
  "unknown-policy": {
    kind: "user",
    severity: "terminal",
    doc: "no playbook policy of that name is registered",
    todo: "`microremed policies` lists the names; your own are in `POLICIES_DIR`",
  },
  "unknown-model": {
    kind: "user",
    severity: "terminal",
    doc: "no model of that name is configured",
    todo: "`microremed models` lists the names; add the model to the file that `MICROREMED_MODELS_FILE` names",
  },
  "unknown-cluster": {
    kind: "user",
    severity: "terminal",
    doc: "no cluster of that name is registered",
    todo: "`microremed clusters list` lists the names; add the cluster to the clusters file",
  },
  "unknown-experiment": {
    kind: "user",
    severity: "terminal",
    doc: "no experiment of that id is stored",
    todo: "check the id and the range (`NATS_URL`); experiments are kept for 30 days after their end",
  },
  "invalid-environment": {
    kind: "user",
    severity: "terminal",
    doc: "an environment file does not match its format",
    todo: "correct the fields that the message names",
  },
  "invalid-catalogue": {
    kind: "user",
    severity: "terminal",
    doc: "an entry of the catalogue, or its folder, is wrong",
    todo: "correct every problem that the message lists",
  },
  "unknown-entry": {
    kind: "user",
    severity: "terminal",
    doc: "the catalogue has no entry of that kind and name",
    todo: "load the folder that has it, with `--catalogue` or in `CATALOGUE_DIRS` of every service",
  },
  "unknown-problem": {
    kind: "user",
    severity: "terminal",
    doc: "no problem or suite of problems has that name",
    todo: "`microremed problems list` lists them",
  },
  "unknown-dead-letter": {
    kind: "user",
    severity: "terminal",
    doc: "no dead letter of that number is stored",
    todo: "`microremed deadletters list` lists the numbers; dead letters are kept for 30 days",
  },
  cancelled: {
    kind: "user",
    severity: "terminal",
    doc: "the command was stopped by Ctrl-C or SIGTERM",
    todo: "nothing: what the command had started has been stopped",
  },
  "deadline-exceeded": {
    kind: "system",
    severity: "either",
    doc: "a condition was not met in time; the message names both the condition and the limit",
    todo: "find out why the named condition does not hold; on a busy machine the limits for starts grow by themselves",
  },
  "start-failed": {
    kind: "system",
    severity: "either",
    doc: "a service ended while it started",
    todo: "read the end of the log file that the message names",
  },
  "listen-failed": {
    kind: "system",
    severity: "terminal",
    doc: "an embedded cluster, or the gateway, could not listen on its address and port",
    todo: "choose a free port (`--port`, GATEWAY_PORT), or 0 for any",
  },
  "stale-lease": {
    kind: "system",
    severity: "either",
    doc: "another episode or trial has leased the arena in the meantime, so this command may not change it",
    todo: "nothing: another replica has the work",
  },
  "version-conflict": {
    kind: "system",
    severity: "retryable",
    doc: "the record has changed since it was read",
    todo: "nothing: the change is tried again with the new record",
  },
  "cluster-unreachable": {
    kind: "system",
    severity: "either",
    doc: "the cluster's API server did not answer",
    todo: "check the network and the kubeconfig with `microremed doctor --kubeconfig`",
  },
  "cluster-refused": {
    kind: "system",
    severity: "terminal",
    doc: "the cluster's API server answered with an error",
    todo: "if a right is missing: `microremed cluster prepare`; otherwise the message has the server's reason",
  },
  "environment-unhealthy": {
    kind: "system",
    severity: "terminal",
    doc: "the environment did not become healthy after its deployment",
    todo: "the message names what is not healthy; check images, quotas and the capacity of the nodes",
  },
  "load-not-followed": {
    kind: "system",
    severity: "terminal",
    doc: "the load of an arena could not be set to what its problem asks for",
    todo: "run problems that have a `workload` on embedded clusters; on others nothing follows it",
  },
  "restore-failed": {
    kind: "system",
    severity: "terminal",
    doc: "the arena could not be restored to its baseline",
    todo: "nothing: the arena is quarantined and then deployed again; `microremed clusters list` shows the reason",
  },
  "arena-lost": {
    kind: "system",
    severity: "terminal",
    doc: "the arena has no record of its deployment, or of the injection: its cluster was replaced, or the record deleted",
    todo: "nothing: the episode is tried again on another arena",
  },
  "fault-expired": {
    kind: "system",
    severity: "terminal",
    doc: "the fault ended by itself before there was a verdict, and the agent had not taken most of its time",
    todo: "give the agent less time or fewer attempts; a fault of your own can have a longer `durationSeconds`",
  },
  "model-unreachable": {
    kind: "system",
    severity: "either",
    doc: "the model's endpoint could not be reached or did not answer in time",
    todo: "check `baseUrl` in the models file and the network; a slow model needs a larger `timeouts.modelSeconds`",
  },
  "model-refused": {
    kind: "system",
    severity: "terminal",
    doc: "the model's endpoint answered with an error (400, 401, 403, 404) before it had answered anything else in the trial",
    todo: "check the key, the model's id and the dialect in the models file",
  },
  "model-overloaded": {
    kind: "system",
    severity: "either",
    doc: "the model's endpoint asked for a later retry (429, 5xx), or keeps failing",
    todo: "set `limits` in the models file to those of your account",
  },
  "model-garbled": {
    kind: "system",
    severity: "retryable",
    doc: "the model's endpoint answered with something other than a chat completion",
    todo: "check that `baseUrl` is the URL before `/chat/completions`",
  },
  "model-answer-too-large": {
    kind: "system",
    severity: "terminal",
    doc: "the model's answer has more than 1 MiB, or 16 MiB as a stream",
    todo: "limit its answers with `maxTokens` in the models file",
  },
  "model-context-exceeded": {
    kind: "system",
    severity: "terminal",
    doc: "the conversation no longer fits into the model's context",
    todo: "set `contextTokens` in the models file, or allow fewer observing calls (`maxProbes`)",
  },
  "not-recorded": {
    kind: "system",
    severity: "terminal",
    doc: "a cassette has no answer to this conversation",
    todo: "run the same cases with the same seed, method and settings as the recording",
  },
  "executor-unavailable": {
    kind: "system",
    severity: "retryable",
    doc: "no executor answered a probe",
    todo: "check that an executor runs and that its clusters file has the cluster",
  },
  "sandbox-unavailable": {
    kind: "system",
    severity: "either",
    doc: "no runner pod could be had for a playbook or probe, or the pod was lost while it ran",
    todo: "the message has the cluster's reason; check the image, the quota and the nodes of the namespace of runner pods",
  },
  "not-simulated": {
    kind: "system",
    severity: "terminal",
    doc: "a playbook or command uses something that the in-process range does not support; real programs do",
    todo: "run it with `--range processes`",
  },
  "missing-tool": {
    kind: "user",
    severity: "terminal",
    doc: "a program that the product needs is not installed",
    todo: "`microremed doctor` says how to get it",
  },
  "bus-unreachable": {
    kind: "system",
    severity: "either",
    doc: "NATS did not answer, or no range was found",
    todo: "check `NATS_URL`, `NATS_USER` and `NATS_PASSWORD`, or start a range with `microremed up`",
  },
  "gateway-unreachable": {
    kind: "system",
    severity: "retryable",
    doc: "no gateway answered the command that plays a session",
    todo: "check `MICROREMED_URL` and that a gateway runs",
  },
  "state-unreachable": {
    kind: "system",
    severity: "retryable",
    doc: "Redis did not answer",
    todo: "check `REDIS_URL` and that Redis runs",
  },
  internal: {
    kind: "system",
    severity: "either",
    doc: "a defect of the product",
    todo: "report it with the message and the stack trace",
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** The code of an error: what programs decide by. The message is for people. */
export type ErrorCode = keyof typeof errorCodes;

/** Whether an error of this code is a way in which work ends as it should. */
export function isNormalEnd(code: string): boolean {
  const entries: Readonly<Record<string, ErrorCodeEntry>> = errorCodes;
  return Object.hasOwn(entries, code) && entries[code]?.isNormal === true;
}
