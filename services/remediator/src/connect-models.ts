import { episodeIndexOf } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import { type Cassette, createCallGate, openGate } from "@microremed/llm";
import { createChatClient } from "@microremed/llm/chat-client";
import type { State } from "@microremed/state";
import type { RemediatorDeps } from "./service.ts";
import type { WatchModel } from "./watch-model.ts";

export interface ConnectOptions {
  /** Where the calls of all replicas are counted. */
  readonly state: Pick<State, "modelCalls">;
  readonly log: Logger;
  /** Answers instead of every model. */
  readonly cassette?: Cassette | undefined;
  /** Wraps every client. */
  readonly watch?: WatchModel;
  /** How rule-based models are reached. Default: over the network. */
  readonly referenceFetch?: typeof fetch;
}

/** A client for each turn, which respects the limits that all remediators share. */
export function connectModels(options: ConnectOptions): RemediatorDeps["connectModel"] {
  const { state, log, cassette, watch = (client) => client, referenceFetch } = options;
  return (endpoint, { timeoutMs, episodeId }) => {
    const { name, ruleBased, limits } = endpoint;
    const recorded = episodeId && cassette?.connect(name, episodeIndexOf(episodeId));
    if (recorded) return watch(recorded, endpoint);
    const gate = ruleBased ? openGate : createCallGate(state.modelCalls, name, limits);
    const own = ruleBased && referenceFetch ? { fetch: referenceFetch } : {};
    return watch(createChatClient({ ...endpoint, ...own, timeoutMs, log, gate }), endpoint);
  };
}
