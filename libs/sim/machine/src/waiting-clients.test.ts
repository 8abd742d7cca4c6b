import { expect, test } from "vitest";
import { awaitedServer } from "./waiting-clients.ts";

test.each([
  ["until pg_isready -h postgres -U app; do sleep 1; done", "postgres:5432"],
  ["until /usr/bin/pg_isready --host=pg.db --port 6432 -q; do sleep 1; done", "pg.db:6432"],
  ['while ! mysqladmin ping -h"mysql" -P 3307 --silent; do sleep 2; done', "mysql:3307"],
  ["until redis-cli -h cache ping | grep -q PONG; do sleep 1; done", "cache:6379"],
  ["until mongosh --host mongo --eval 'db.hello()'; do sleep 1; done", "mongo:27017"],
  ["/wait-for-it.sh -t 60 orders:8080 -- true", "orders:8080"],
  ["dockerize -timeout 60s -wait tcp://rabbit:5672", "rabbit:5672"],
  ["until (echo > /dev/tcp/kafka/9092) 2>/dev/null; do sleep 1; done", "kafka:9092"],
  ["psql -h postgres -f /schema.sql", undefined],
  ["until pg_isready; do sleep 1; done", undefined],
  ["echo psql -x; ./mysqlish -h no", undefined],
])("%s waits for %s", (script, expected) => {
  const server = awaitedServer(script);
  expect(server && `${server.host}:${server.port}`).toBe(expected);
});
