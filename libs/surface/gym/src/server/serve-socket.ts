import type { WebSocket } from "@fastify/websocket";
import { AppError, type Logger, parseJson } from "@microremed/core";
import { play } from "./play.ts";
import { Incoming, messageTypes, type WsErrorCode, wsCode } from "./protocol.ts";
import type { Sessions } from "./sessions.ts";

/** Messages of one connection that wait for the one that is being answered. */
const mostWaiting = 16;

interface SocketOptions {
  readonly sessions: Sessions;
  readonly log: Logger;
  /** Whether the connection came with the trainer's token. */
  readonly isTrainer: boolean;
}

/**
 * One connection is one session: it has at most one episode, which ends with it. Messages are answered one after the other,
 * in their order.
 */
export function serveSocket(socket: WebSocket, { sessions, log, isTrainer }: SocketOptions): void {
  let episode: string | undefined;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  const send = (type: string, data: unknown): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type, data }));
  };
  const refuse = (code: WsErrorCode, message: string, errors?: unknown): void =>
    send("error", { message, code, ...(errors !== undefined && { errors }) });
  const leave = async (): Promise<void> => {
    const id = episode;
    episode = undefined;
    if (id !== undefined) await sessions.close(id);
  };
  const current = (): string => {
    if (episode !== undefined) return episode;
    throw new AppError("invalid-request", "there is no episode in this connection: send a reset first");
  };
  const answer = async (message: Incoming): Promise<void> => {
    switch (message.type) {
      case "reset": {
        await leave();
        const { fork } = message.data;
        const result =
          fork === undefined ? await sessions.reset(message.data) : await sessions.take(String(fork));
        episode = result.observation.episode_id;
        // The connection went away meanwhile.
        if (socket.readyState !== socket.OPEN) return leave();
        return send("observation", result);
      }
      case "step":
        return send("observation", await play(sessions, current(), message.data));
      case "fork": {
        const forks = await sessions.fork(current(), message.data.n);
        return send("fork", { episodes: forks.map(({ observation }) => observation.episode_id) });
      }
      case "state": {
        if (episode === undefined) return send("state", { episode_id: null, step_count: 0, done: false });
        if (isTrainer) return send("state", await sessions.state(episode));
        const { observation, done } = await sessions.current(episode);
        return send("state", { episode_id: episode, step_count: observation.step_count, done });
      }
      case "close":
        await leave();
        return socket.close(1000);
      default:
        return message satisfies never;
    }
  };
  const take = async (text: string): Promise<void> => {
    if (socket.readyState !== socket.OPEN) return;
    const json = parseJson(text);
    if (json === undefined) return refuse("INVALID_JSON", "the message is no JSON");
    const type = typeof json === "object" && json !== null ? Reflect.get(json, "type") : undefined;
    if (!messageTypes.some((one) => one === type))
      return refuse("UNKNOWN_TYPE", `type: one of ${messageTypes.join(", ")}`);
    const { data, error } = Incoming.safeParse(json);
    if (error) {
      const errors = error.issues
        .slice(0, 20)
        .map(({ path, message }) => ({ loc: path.map(String), msg: message }));
      return refuse(
        "VALIDATION_ERROR",
        errors.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "),
        errors,
      );
    }
    try {
      await answer(data);
    } catch (thrown) {
      const failure = AppError.from(thrown);
      if (failure.code === "internal")
        log.warn({ error_message: failure.message }, "a message of a gym's client failed");
      refuse(wsCode(failure), failure.message, failure.details["issues"]);
    }
  };
  socket.on("message", (text: Buffer) => {
    if (waiting >= mostWaiting)
      return refuse(
        "EXECUTION_ERROR",
        `${waiting} messages wait already: wait for their answers before you send more`,
      );
    waiting++;
    last = last.then(() => take(text.toString())).finally(() => waiting--);
  });
  // At once, so that a step that is under way ends; and again for an episode that a reset was making.
  socket.on(
    "close",
    () =>
      void leave()
        .then(() => last)
        .then(leave),
  );
  socket.on("error", (error: Error) =>
    log.debug({ error_message: error.message }, "a connection of a gym's client failed"),
  );
}
