import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell } from "../../../testing/create-shell.ts";

const groups = [
  { group: "billing", offset: 20.7, host: undefined },
  { group: "fraud", offset: 3, host: "10.0.0.9" },
];
const running = (container: ContainerRuntime): Partial<ContainerRuntime> => ({
  ...(container.behaviour && {
    behaviour: { ...container.behaviour, tools: ["coreutils", "kafka-consumer-groups.sh"] },
  }),
  datastore: { type: "kafka", topics: { orders: { end: 20.9, groups } } },
});
const { run } = createShell(running);
const ask = (...args: string[]) => run(["/opt/kafka/bin/kafka-consumer-groups.sh", ...args]);
const at = ["--bootstrap-server", "localhost:7070"];

test("lists groups, and says how far each is behind", async () => {
  expect((await ask(...at, "--list")).out).toBe("billing\nfraud\n");
  const { out } = await ask(...at, "--describe", "--group", "fraud");
  const [, header = "", row = ""] = out.split("\n");
  expect(header).toMatch(/^GROUP +TOPIC +PARTITION +CURRENT-OFFSET +LOG-END-OFFSET +LAG/);
  expect(row.trim()).toMatch(
    /^fraud +orders +0 +3 +20 +17 +consumer-fraud-1 +\/10\.0\.0\.9 +consumer-fraud-1$/,
  );
  expect((await ask(...at, "--describe", "--all-groups")).out).toMatch(
    /billing +orders +0 +20 +20 +0 +- +- +-/,
  );
});

test("is found by a shell, too", async () => {
  const script =
    "PATH=$PATH:/opt/kafka/bin kafka-consumer-groups.sh --bootstrap-server localhost:7070 --list";
  const inFolder =
    "/opt/kafka/bin/kafka-consumer-groups.sh --bootstrap-server localhost:7070 --list | tail -n 1";
  expect((await run(["sh", "-c", script])).out).toBe("billing\nfraud\n");
  expect((await run(["sh", "-c", inFolder])).out).toBe("fraud\n");
});

test("needs a broker that answers, and an action that it knows", async () => {
  expect(await ask("--list")).toMatchObject({ code: 1, err: expect.stringContaining("bootstrap-server") });
  expect(await ask(...at, "--delete")).toMatchObject({ code: 1, err: expect.stringContaining("--describe") });
});

/** A shell beside a broker that has nothing yet, with all of Kafka's tools. */
function aBroker() {
  const tools = ["consumer-groups", "console-consumer", "console-producer", "get-offsets", "topics"];
  const shell = createShell((container) => ({
    ...(container.behaviour && {
      behaviour: {
        ...container.behaviour,
        tools: ["busybox", ...tools.map((tool) => `kafka-${tool}.sh`)],
      },
    }),
    datastore: { type: "kafka", topics: {} },
  }));
  return async (script: string) => {
    const text = script.replaceAll(/kafka-[a-z-]+\.sh/g, "$& --bootstrap-server localhost:7070");
    return await shell.run(["sh", "-c", text]);
  };
}

test("messages that clients send are read with their texts, from any offset", async () => {
  const kafka = aBroker();
  const produce = "kafka-console-producer.sh --topic orders";
  await kafka(`printf 'order=1\\norder=2\\n' | ${produce}; echo '{"order' | ${produce}`);
  expect((await kafka("kafka-topics.sh --list")).out).toBe("orders\n");
  expect((await kafka("kafka-get-offsets.sh")).out).toBe("orders:0:3\n");
  const consume = "kafka-console-consumer.sh --topic orders";
  expect(await kafka(`${consume} --partition 0 --offset 1 --max-messages 2`)).toMatchObject({
    code: 0,
    out: 'order=2\n{"order\n',
    err: "Processed a total of 2 messages\n",
  });
  expect((await kafka(`${consume} --from-beginning --timeout-ms 500`)).out.split("\n")).toHaveLength(4);
  const late = await kafka(`${consume} --timeout-ms 500`);
  expect(late).toMatchObject({ out: "", err: expect.stringContaining("TimeoutException") });
  expect(await kafka(`${consume} --offset 1`)).toMatchObject({ code: 1 });
});

test("a group reads on from where it is, and may be put elsewhere while none of its members is connected", async () => {
  const kafka = aBroker();
  await kafka("seq 1 9 | kafka-console-producer.sh --topic orders");
  const read = "kafka-console-consumer.sh --topic orders --group billing --from-beginning --max-messages 3";
  expect((await kafka(read)).out).toBe("1\n2\n3\n");
  expect((await kafka(read)).out).toBe("4\n5\n6\n");
  const uncommitted = `${read} --consumer-property enable.auto.commit=false`;
  expect((await kafka(uncommitted)).out).toBe("7\n8\n9\n");
  const reset = "kafka-consumer-groups.sh --group billing --topic orders --reset-offsets";
  const offset = async () =>
    (await kafka("kafka-consumer-groups.sh --describe --group billing | awk '/billing/ { print $4, $6 }'"))
      .out;
  expect((await kafka(`${reset} --shift-by 2 --dry-run`)).out).toMatch(/^billing +orders +0 +8 *$/m);
  expect(await offset()).toBe("6 3\n");
  for (const [how, then] of [
    ["--shift-by 1", "7 2"],
    ["--shift-by -9", "0 9"],
    ["--to-offset 4", "4 5"],
    ["--to-latest", "9 0"],
    ["--to-earliest", "0 9"],
  ] as const) {
    expect(await kafka(`${reset} ${how} --execute`)).toMatchObject({ code: 0 });
    expect(await offset(), how).toBe(`${then}\n`);
  }
  await kafka("kafka-topics.sh --delete --topic orders");
  expect((await kafka("kafka-consumer-groups.sh --list")).out).toBe("");
  expect(await kafka(`${reset} --to-latest --execute`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('"orders-0" does not exist'),
  });
});

test("a group with a member that is connected stays where it is", async () => {
  const to = ["--reset-offsets", "--topic", "orders", "--to-latest", "--execute"];
  expect(await ask(...at, "--group", "fraud", ...to)).toMatchObject({
    code: 1,
    err: expect.stringContaining("only be reset if the group 'fraud' is inactive"),
  });
  expect(await ask(...at, "--group", "billing", ...to)).toMatchObject({ code: 0 });
});
