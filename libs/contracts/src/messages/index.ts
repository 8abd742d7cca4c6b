// Made from the files beside it by `npm run docs:generate`; do not edit.
export * from "./cancel-reply.ts";
export * from "./cancel-request.ts";
export * from "./cluster-check.ts";
export * from "./cluster-release.ts";
export * from "./clusters-query.ts";
export * from "./conversation-query.ts";
export * from "./dead-letter.ts";
export * from "./experiment-list.ts";
export * from "./experiment-query.ts";
export * from "./experiment-request.ts";
export * from "./judge-request.ts";
export * from "./model-check.ts";
export * from "./playbook-answer.ts";
export * from "./probe-request.ts";
export * from "./range-event.ts";
export * from "./stage-result.ts";
export * from "./submit-reply.ts";
