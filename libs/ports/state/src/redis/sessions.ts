import { EndedProblem, Seat, SessionRecord } from "@microremed/contracts";
import { z } from "zod";
import { mostListed, mostSilent, mostWorkers, ownerOf, type Sessions, sessionSeconds } from "../sessions.ts";
import { parseStored } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

const Fields = z.array(z.string());
const fieldOf = ({ worker }: Pick<Seat, "worker">): string => `seat:${worker}`;

export function createSessions(redis: RedisLink, keys: Keys): Sessions {
  const readAll = async (ids: readonly string[]): Promise<SessionRecord[]> => {
    const texts = await redis.use("reading sessions", (client) =>
      Promise.all(ids.map((id) => client.hget(keys.session(id), "record"))),
    );
    return texts.flatMap((text, i) =>
      text === null ? [] : [parseStored(SessionRecord, keys.session(ids[i] ?? ""), text)],
    );
  };
  return {
    open: async (session, most) => {
      const { id, tokenId, silenceSeconds } = session;
      const names = [keys.session(id), keys.sessions, keys.sessionsOf(tokenId)];
      return (
        (await redis.run("open-session", names, [
          id,
          JSON.stringify(session),
          most,
          sessionSeconds,
          silenceSeconds * 1000,
        ])) === 1
      );
    },
    use: async (id) => {
      const key = keys.session(id);
      const fields = Fields.parse(await redis.run("use-session", [key, keys.sessions], [id]));
      const pairs = new Map(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? ""]] : [])));
      const record = pairs.get("record");
      if (record === undefined) return undefined;
      const ended = pairs.get("ended") ?? "[]";
      for (const other of ["record", "ended"]) pairs.delete(other);
      return {
        session: parseStored(SessionRecord, key, record),
        seats: [...pairs.values()].map((text) => parseStored(Seat, key, text)),
        ended: parseStored(z.array(EndedProblem), key, ended),
      };
    },
    take: async (session, seat) => {
      const taken = await redis.run(
        "take-seat",
        [keys.session(session.id), keys.takenEpisodes(session.experimentId)],
        [
          fieldOf(seat),
          JSON.stringify(seat),
          seat.episodeId,
          ownerOf(session, seat),
          mostWorkers,
          sessionSeconds,
        ],
      );
      return taken === 1;
    },
    update: async ({ id }, seat) => {
      const given = [fieldOf(seat), seat.problem, JSON.stringify(seat)];
      return (await redis.run("update-seat", [keys.session(id)], given)) === 1;
    },
    leave: async ({ id }, ended) => {
      const { worker, problem } = ended;
      const given = [fieldOf(ended), worker, problem, JSON.stringify(ended), mostWorkers];
      await redis.run("leave-seat", [keys.session(id)], given);
    },
    close: async ({ id, tokenId, experimentId }) => {
      const names = [
        keys.session(id),
        keys.sessions,
        keys.sessionsOf(tokenId),
        keys.takenEpisodes(experimentId),
      ];
      return (await redis.run("close-session", names, [id])) === 1;
    },
    count: (tokenId) => redis.use("counting sessions", (client) => client.scard(keys.sessionsOf(tokenId))),
    list: async (tokenId) => {
      const ids = await redis.use("listing sessions", (client) =>
        tokenId === undefined
          ? client.zrange(keys.sessions, "0", String(mostListed - 1))
          : client.smembers(keys.sessionsOf(tokenId)),
      );
      return readAll(ids.slice(0, mostListed));
    },
    silent: async () => {
      const ids = await redis.use("listing sessions", async (client) => {
        const [seconds = 0, micros = 0] = (await client.time()).map(Number);
        const now = seconds * 1000 + Math.floor(micros / 1000);
        return client.zrangebyscore(keys.sessions, "-inf", `(${now}`, "LIMIT", 0, mostSilent);
      });
      return readAll(ids);
    },
  };
}
