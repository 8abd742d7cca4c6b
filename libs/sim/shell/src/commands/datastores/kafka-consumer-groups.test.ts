import type { ContainerRuntime } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell } from "../../testing/create-shell.ts";

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
