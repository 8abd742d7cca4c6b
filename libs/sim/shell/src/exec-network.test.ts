import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell, gnu } from "./testing/create-shell.ts";

test("pings as busybox prints it, once a second of cluster time", async () => {
  const { run, reply } = createShell();
  reply.current = (n) =>
    n === 1 ? { ok: false, elapsedMs: 0, error: "timeout" } : { ok: true, elapsedMs: 1000 + n, error: "" };
  const { code, out, seconds } = await run(["ping", "-c", "3", "-W", "2", "8.8.8.8"]);
  expect(out).toBe(
    [
      "PING 8.8.8.8 (8.8.8.8): 56 data bytes",
      "64 bytes from 8.8.8.8: seq=0 ttl=62 time=1000.000 ms",
      "64 bytes from 8.8.8.8: seq=2 ttl=62 time=1002.000 ms",
      "",
      "--- 8.8.8.8 ping statistics ---",
      "3 packets transmitted, 2 packets received, 33% packet loss",
      "round-trip min/avg/max = 1000.000/1001.000/1002.000 ms",
      "",
    ].join("\n"),
  );
  expect(code).toBe(0);
  expect(seconds).toBeCloseTo(4, 0);
});

test("pings as iputils prints it, and fails when nothing comes back", async () => {
  const { run, reply } = createShell(gnu);
  const good = await run(["ping", "-c", "2", "-i", "0.2", "redis"]);
  expect(good.out).toContain(
    "PING redis (10.43.0.7) 56(84) bytes of data.\n64 bytes from 10.43.0.7: icmp_seq=1 ttl=62 time=0.400 ms\n",
  );
  expect(good.out).toMatch(
    /2 packets transmitted, 2 received, 0% packet loss, time 20\dms\nrtt min\/avg\/max\/mdev = 0\.400\/0\.400\/0\.400\/0\.000 ms\n/,
  );
  reply.current = () => ({ ok: false, elapsedMs: 0, error: "timeout" });
  const bad = await run(["ping", "-c", "2", "-W", "1", "-q", "redis"]);
  expect(bad.out).toContain("2 packets transmitted, 0 received, 100% packet loss");
  expect(bad.code).toBe(1);
  expect((await run(["ping", "-c1", "nowhere"])).err).toBe("ping: nowhere: Name or service not known\n");
});

test("names the pod's host, which need not have the pod's name", async () => {
  const { run, sandbox } = createShell();
  Object.assign(sandbox, { hostname: "cart-0", domain: "carts.shop.svc.cluster.local" });
  const { out } = await run([
    "sh",
    "-c",
    "hostname; hostname -f; uname -n; cat /etc/hostname; echo $HOSTNAME",
  ]);
  expect(out.trim().split("\n")).toEqual([
    "cart-0",
    "cart-0.carts.shop.svc.cluster.local",
    "cart-0",
    "cart-0",
    "cart-0",
  ]);
});

test("asks services and resolvers through the simulated network", async () => {
  const { run, reply } = createShell(gnu);
  reply.current = () => ({ ok: true, elapsedMs: 30, error: "", status: 200 });
  expect(
    (await run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://redis:8080/x"])).out,
  ).toBe("200");
  reply.current = () => ({ ok: false, elapsedMs: 2000, error: "timed out" });
  expect(await run(["curl", "-m", "2", "http://redis"])).toMatchObject({
    code: 28,
    err: "curl: (28) Connection timed out after 2000 milliseconds\n",
  });
  expect((await run(["curl", "http://nope"])).err).toBe("curl: (6) Could not resolve host: nope\n");
  const busybox = createShell();
  expect((await busybox.run(["nslookup", "nope"])).code).toBe(1);
  expect((await busybox.run(["nc", "-z", "redis", "6379"])).code).toBe(0);
});

test("curl gives the time of the connection apart from that of the answer, also where no answer came in time", async () => {
  const { run, reply } = createShell(gnu);
  const times = ["curl", "-s", "-o", "/dev/null", "-m", "3", "-w", "%{time_connect} %{time_total}", "redis"];
  reply.current = () => ({ ok: true, elapsedMs: 2000, connectedMs: 500, error: "", status: 200 });
  expect((await run(times)).out).toBe("0.500000 2.000000");
  reply.current = () => ({ ok: false, elapsedMs: 3000, connectedMs: 500, error: "timed out" });
  expect((await run(times)).out).toBe("0.500000 3.000000");
  reply.current = () => ({ ok: false, elapsedMs: 2, error: "connection refused" });
  expect((await run(times)).out).toBe("0.000000 0.002000");
});

test("shows cgroup limits, resolv.conf and the environment, and a rewritten resolv.conf ends a DNS fault", async () => {
  const { run, sandbox } = createShell(() => ({ env: { REDIS_ADDR: "redis:6379" } }));
  expect((await run(["cat", "/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/memory.max"])).out).toBe(
    "50000 100000\n536870912\n",
  );
  expect((await run(["printenv", "REDIS_ADDR"])).out).toBe("redis:6379\n");
  sandbox.dnsFault = { owner: "x", action: "error", patterns: [] };
  sandbox.asksChaosDns = true;
  const { out } = await run(["cat", "/etc/resolv.conf"]);
  expect(out).toContain("nameserver 10.96.0.53");
  await run(["sh", "-c", "echo 'nameserver 10.96.0.10' > /etc/resolv.conf"]);
  expect(sandbox.dnsFault).toBeUndefined();
});

test("what is written to the hosts file is what the pod's resolvers read", async () => {
  const { run, sandbox } = createShell();
  await run(["sh", "-c", "echo '127.0.0.1 redis # here' >> /etc/hosts"]);
  expect((await run(["cat", "/etc/hosts"])).out).toMatch(
    /^# Kubernetes-managed[\s\S]*\n127.0.0.1 redis # here\n$/,
  );
  expect(sandbox.hosts?.addresses.get("redis")).toBe("127.0.0.1");
});

test("tc needs NET_ADMIN", async () => {
  const tools = (container: ContainerRuntime) => ({
    ...(container.behaviour && { behaviour: { ...container.behaviour, tools: ["busybox", "tc"] } }),
  });
  const plain = createShell(tools);
  const netem = { owner: "chaos-daemon", delayMs: 1000, jitterMs: 0, loss: 0, corrupt: 0, duplicate: 0 };
  plain.sandbox.netem.push(netem);
  expect(await plain.run(["tc", "qdisc", "del", "dev", "eth0", "root"])).toMatchObject({
    code: 2,
    err: "RTNETLINK answers: Operation not permitted\n",
  });
  const able = createShell((container) => ({ ...tools(container), capabilities: ["NET_ADMIN"] }));
  able.sandbox.netem.push(netem);
  expect((await able.run(["tc", "qdisc", "show"])).out).toContain("delay 1000ms");
  expect((await able.run(["tc", "qdisc", "del", "dev", "eth0", "root"])).code).toBe(0);
  expect(able.sandbox.netem).toEqual([]);
});
