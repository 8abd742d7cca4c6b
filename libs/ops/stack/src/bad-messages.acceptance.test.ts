import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { catalog, streams, subjects } from "@microremed/contracts";
import { silentLogger as log } from "@microremed/core";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Stack } from "./stack.types.ts";
import { startStack } from "./start-stack.ts";

const messages = 300;
const request = { environment: "simple-micro", model: "reference/runbook", failures: ["pod-fail"] };

interface Sample {
  readonly subject: string;
  readonly body: unknown;
}

function admin({ natsUrl, natsPasswords }: Stack): Promise<NatsConnection> {
  return connect({ servers: natsUrl, user: "admin", pass: natsPasswords.admin });
}

/** An experiment from its request to its end. Returns every message that it took. */
async function runOne(connection: NatsConnection, bus: Bus, id: string): Promise<Sample[]> {
  const seen: Sample[] = [];
  const subscription = connection.subscribe("microremed.>", {
    callback: (_, message) => void seen.push({ subject: message.subject, body: message.json() }),
  });
  await connection.flush();
  expect(await bus.submit({ ...request, id })).toMatchObject({ status: "accepted" });
  const stop = AbortSignal.timeout(600_000);
  for await (const event of bus.readEvents(id, { signal: stop })) {
    if (event.type === "episode-finished") expect(event.outcome).toBe("remediated");
    if (event.type === "experiment-finished") break;
  }
  subscription.unsubscribe();
  return seen;
}

/** `commands.act`, `events`: what kind of message a subject carries. */
function kindOf(subject: string): string {
  const [, kind = "", name = ""] = subject.split(".");
  return ["events", "results", "deadletters"].includes(kind) ? kind : `${kind}.${name}`;
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, field]) => pathsIn(field, [...path, name]))];
}

/** The value with the field at the path replaced, or left out when it is to be `undefined`. */
function changed(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const field = changed(Reflect.get(copy, name), rest, to);
  if (field === undefined) Reflect.deleteProperty(copy, name);
  else Reflect.set(copy, name, field);
  return copy;
}

/** Messages that a client may send to a subject: a message of its own with one thing wrong, a part of one, other JSON, or bytes. */
function badMessage(samples: readonly Sample[]): fc.Arbitrary<{ subject: string; data: Uint8Array }> {
  const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value) ?? "");
  return fc.constantFrom(...samples).chain(({ subject, body }) => {
    const wrong = fc
      .tuple(fc.constantFrom(...pathsIn(body)), fc.oneof(fc.constant(undefined), fc.jsonValue()))
      .map(([path, to]) => bytes(changed(body, path, to)));
    const more = fc.string({ minLength: 1 }).map((name) => bytes({ ...(body as object), [name]: 1 }));
    const cut = fc.nat({ max: 200 }).map((length) => bytes(body).subarray(0, length));
    const other = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 300 }),
    );
    return fc.oneof(wrong, more, cut, other).map((data) => ({ subject, data }));
  });
}

/** Messages that lie in the work queues. */
async function queued(connection: NatsConnection): Promise<number> {
  const manager = await jetstreamManager(connection);
  const queues = Object.values(streams).filter(({ retention }) => retention === "workqueue");
  const counts = queues.map(async ({ name }) => (await manager.streams.info(name)).state.messages);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test("whatever is sent to any subject is answered, refused or dead-lettered; no process dies, and the range continues", async () => {
  await using cleanup = new AsyncDisposableStack();
  const clusters = { environments: ["simple-micro"], count: 1, timeScale: 200, seed: 1 };
  const stack = cleanup.use(await startStack({ clusters, log }));
  const connection = cleanup.adopt(await admin(stack), (open) => open.close());
  const { natsUrl, natsUser, natsPassword } = stack;
  const access = { servers: natsUrl, user: natsUser, password: natsPassword };
  const bus = cleanup.use(await connectNatsBus({ ...access, name: "test", log }));
  const samples = await runOne(connection, bus, "before");
  const kinds = new Set(samples.map(({ subject }) => subject.split(".").slice(0, 3).join(".")));
  expect([...kinds].filter((kind) => kind.startsWith("microremed.commands."))).toHaveLength(6);
  expect(kinds).toContain("microremed.experiments.submit");
  const cancel = { subject: "microremed.experiments.cancel", body: { experimentId: "before" } };
  const arena = { cluster: "embedded-1", slot: 0, namespace: "simple-micro", fence: 1 };
  const probe = { kind: "command", command: "kubectl get pods" };
  const questions: Sample[] = [
    { subject: subjects.experimentQuery, body: { experimentId: "before", from: 0, limit: 10 } },
    { subject: subjects.conversationQuery, body: { episodeId: "before.0000" } },
    { subject: subjects.clustersQuery, body: {} },
    { subject: subjects.clusterRelease, body: { cluster: "embedded-1" } },
    { subject: subjects.checkCluster("embedded-1"), body: { cluster: "embedded-1" } },
    { subject: subjects.checkModel("reference/noop"), body: { model: "reference/noop" } },
    {
      subject: subjects.probe("embedded-1"),
      body: { episodeId: "before.0000", arena, probe, timeoutSeconds: 5 },
    },
  ];
  const letter = {
    subject: "microremed.deadletters.executor",
    body: {
      subject: "x",
      service: "executor",
      messageId: "1",
      deliveries: 1,
      code: "x",
      reason: "x",
      body: "{}",
    },
  };
  const all = [...samples, cancel, letter, ...questions];
  // Whatever the catalogue knows is among it; only a person's playbook has no receiver.
  const sentKinds = all.map(({ subject }) => kindOf(subject));
  const known = catalog.map(({ subject }) => kindOf(subject)).filter((kind) => kind !== "rpc.answer");
  expect(known.filter((kind) => !sentKinds.includes(kind))).toEqual([]);

  const sent = fc.sample(badMessage(all), { numRuns: messages, seed: 42 });
  for (const { subject, data } of sent) {
    if (subject.startsWith("microremed.rpc.")) {
      // An answer, be it an error: no question is left hanging.
      await connection.request(subject, data, { timeout: 20_000 });
    } else connection.publish(subject, data);
  }
  await connection.flush();
  await expect.poll(() => queued(connection), { interval: 500 }).toBe(0);

  for (const { name, restarts, healthUrl } of stack.services) {
    expect(`${name} died ${restarts} times`).toBe(`${name} died 0 times`);
    expect((await fetch(`${healthUrl}/readyz`)).status).toBe(200);
  }
  let deadLettered = 0;
  for await (const { code, reason } of bus.deadLetters.list()) {
    expect(code).not.toBe("internal");
    expect(reason.length).toBeGreaterThan(10);
    deadLettered++;
  }
  expect(deadLettered).toBeGreaterThan(10);
  await runOne(connection, bus, "after");
}, 1_800_000);
