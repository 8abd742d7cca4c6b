import { expect, test } from "vitest";
import { parsePing } from "./ping.ts";

test("reads busybox's and iputils' ping, echo by echo", () => {
  const busybox =
    "64 bytes from 10.0.0.1: seq=0 ttl=62 time=0.060 ms\n64 bytes from 10.0.0.1: seq=2 ttl=62 time=0.102 ms\n\n--- 10.0.0.1 ping statistics ---\n4 packets transmitted, 2 packets received, 50% packet loss\nround-trip min/avg/max = 0.060/0.081/0.102 ms\n";
  const iputils =
    "64 bytes from 10.0.0.1: icmp_seq=1 ttl=62 time=0.060 ms\n64 bytes from 10.0.0.1: icmp_seq=3 ttl=62 time=0.102 ms\n4 packets transmitted, 2 received, +2 errors, 50% packet loss, time 7800ms\nrtt min/avg/max/mdev = 0.060/0.081/0.102/0.010 ms\n";
  for (const output of [busybox, iputils])
    expect(parsePing(output)).toEqual({
      sent: 4,
      received: 2,
      rttMs: 0.081,
      echoes: [0.06, null, 0.102, null],
    });
  expect(parsePing("33 packets transmitted, 0 packets received, 100% packet loss")).toMatchObject({
    sent: 33,
    received: 0,
    rttMs: null,
  });
  expect(parsePing("ping: bad address")).toEqual({ sent: null, received: null, rttMs: null, echoes: [] });
});
