import { expect, test } from "vitest";
import { boundTo } from "./bound-to.ts";

test.each([
  ["redis-server /etc/redis.conf --bind 10.0.0.7 --port 6379", "pod"],
  ["redis-server --bind 10.0.0.7 127.0.0.1", undefined],
  ["redis-server --bind 127.0.0.1 -::1", "localhost"],
  ["redis-server --bind 0.0.0.0", undefined],
  ["redis-server --port 6379", undefined],
  ["python3 -m http.server --bind 10.0.0.7 8000", "pod"],
  ["node server.mjs --host=10.0.0.7 --port=8080", "pod"],
  ["nats-server -a 10.0.0.7", "pod"],
  ["etcd --listen-client-urls http://10.0.0.7:2379,http://127.0.0.1:2379", undefined],
  [
    "etcd --listen-client-urls=http://127.0.0.1:2379 --advertise-client-urls=http://10.0.0.7:2379",
    "localhost",
  ],
  ["server --listen-address=:9090", undefined],
  ["mysql --host 127.0.0.1", undefined],
  ["server --peer 10.0.0.7", undefined],
])("%s listens on %s alone", (line, expected) => {
  expect(boundTo(line.split(" "), "10.0.0.7")).toBe(expected);
});
