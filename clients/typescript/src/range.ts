import { ask, openRoutes, type Routes } from "./ask.ts";
import { NoAnswer } from "./errors.ts";
import type { components, paths } from "./openapi.ts";
import { type Deadlines, Session } from "./session.ts";

type Json<P extends keyof paths, M extends "get" | "post"> = paths[P] extends {
  [method in M]: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

type Submitted = paths["/v1/experiments"]["post"]["requestBody"]["content"]["application/json"];

/** Where a gateway is, and who asks. */
export interface RangeOptions {
  /** Default: MICROREMED_URL, else http://127.0.0.1:7070. */
  readonly url?: string;
  /** Default: MICROREMED_TOKEN. */
  readonly token?: string;
}

/** What a session is opened with: the fields of `POST /v1/sessions` (docs/sessions.md), and how long the agent waits. */
export type SessionOptions = components["schemas"]["SessionRequestInput"] & Deadlines;

/** Within which the range answers what it does not have to wait for, ms. */
const answerMs = 60_000;

/** A range, as its gateway shows it. An agent's token opens `session`, nothing else. Throws `MicroRemedError`. */
export class Range {
  readonly #routes: Routes;

  constructor({ url, token }: RangeOptions = {}) {
    const env = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env ?? {};
    this.#routes = openRoutes(
      url ?? env["MICROREMED_URL"] ?? "http://127.0.0.1:7070",
      token ?? env["MICROREMED_TOKEN"] ?? "",
    );
  }

  /** What the token is: its scope, holder, limits; and the range's version. */
  token(): Promise<Json<"/v1/token", "get">> {
    return this.#get((signal) => this.#routes.GET("/v1/token", { signal }));
  }

  /** The suites of problems: name, how many problems, how many of them can be run here, environments, tasks. */
  async suites() {
    return (await this.#get((signal) => this.#routes.GET("/v1/suites", { signal }))).suites;
  }

  /** The problems of a suite with their solutions; those that cannot be run here are left out unless `all` is set. */
  async problems(suite: string, { all = false }: { readonly all?: boolean } = {}) {
    const params = { path: { suite } };
    const { problems } = await this.#get((signal) =>
      this.#routes.GET("/v1/suites/{suite}/problems", { params, signal }),
    );
    return all ? problems : problems.filter(({ missing }) => missing.length === 0);
  }

  /** Opens a session of an agent (`name@version`). Outcomes are revealed unless `reveal` says `nothing`. */
  async session({ callMs, waitMs, longestThinkMs, ...request }: SessionOptions): Promise<Session> {
    const body = { reveal: "outcome" as const, ...request };
    const opened = await ask((signal) => this.#routes.POST("/v1/sessions", { body, signal }), {
      withinMs: answerMs,
      once: true,
    });
    const deadlines = {
      ...(callMs !== undefined && { callMs }),
      ...(waitMs !== undefined && { waitMs }),
      ...(longestThinkMs !== undefined && { longestThinkMs }),
    };
    return new Session(this.#routes, opened, deadlines);
  }

  /** Submits an experiment (docs/reference/messages.md#experimentrequest) and gives its id. The same `id` twice is one experiment. */
  async submit(request: Submitted): Promise<string> {
    const send = (signal: AbortSignal) => this.#routes.POST("/v1/experiments", { body: request, signal });
    return (await ask(send, { withinMs: answerMs, once: request.id === undefined })).experimentId;
  }

  /** The record of an experiment: its request, its status, how many episodes there are, and how many are done. */
  experiment(id: string): Promise<Json<"/v1/experiments/{id}", "get">> {
    return this.#get((signal) =>
      this.#routes.GET("/v1/experiments/{id}", { params: { path: { id } }, signal }),
    );
  }

  /** Waits until an experiment has ended, and gives its record. Throws `NoAnswer` if it has not within `withinMs` (a day). */
  async wait(
    id: string,
    {
      withinMs = 86_400_000,
      everyMs = 2_000,
    }: { readonly withinMs?: number; readonly everyMs?: number } = {},
  ): Promise<Json<"/v1/experiments/{id}", "get">> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const record = await this.experiment(id);
      if (record.status !== "running") return record;
      if (Date.now() >= deadline) throw new NoAnswer(`${id} has not ended within ${withinMs / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }

  /** The report of an experiment: rates with intervals, by task, model and method; `episodes` has a row for each. */
  report(id: string): Promise<Json<"/v1/experiments/{id}/report", "get">> {
    return this.#get((signal) =>
      this.#routes.GET("/v1/experiments/{id}/report", { params: { path: { id } }, signal }),
    );
  }

  /** The records of an experiment's episodes. */
  async *episodes(
    id: string,
  ): AsyncGenerator<Json<"/v1/experiments/{id}/episodes", "get">["episodes"][number]> {
    for (let from: number | null = 0; from !== null; ) {
      const params = { path: { id }, query: { from, limit: 100 } };
      const page: Json<"/v1/experiments/{id}/episodes", "get"> = await this.#get((signal) =>
        this.#routes.GET("/v1/experiments/{id}/episodes", { params, signal }),
      );
      yield* page.episodes;
      from = page.next;
    }
  }

  #get<T>(send: Parameters<typeof ask<T>>[0]): Promise<T> {
    return ask(send, { withinMs: answerMs });
  }
}
