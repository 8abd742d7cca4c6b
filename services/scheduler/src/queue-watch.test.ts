import type { Bus } from "@microremed/bus";
import { subjects } from "@microremed/contracts";
import { createMemoryState } from "@microremed/state/memory";
import { expect, test } from "vitest";
import { createQueueWatch } from "./queue-watch.ts";

type Queues = Awaited<ReturnType<Bus["queues"]>>;

test("a queue is unserved when something waits and nothing was taken for a minute, whichever scheduler read it first", async () => {
  const queue = { waiting: 3, deliveries: 5 };
  let now = 0;
  const queues = async (): Promise<Queues> => [
    {
      stream: "COMMANDS_EXECUTOR",
      messages: queue.waiting,
      bytes: 0,
      limitBytes: 1,
      consumers: [{ name: "executor", subject: "microremed.commands.act.*", unacknowledged: 0, ...queue }],
    },
  ];
  await using state = createMemoryState({ now: () => now });
  const after = (seconds: number, change: Partial<typeof queue> = {}, sentAt = 0) => {
    now += seconds * 1000;
    Object.assign(queue, change);
    // Another scheduler each time.
    const serviceOf = createQueueWatch({ bus: { queues }, state, now: () => now });
    return serviceOf(subjects.command("act", "c1"), sentAt);
  };
  expect(await after(0)).toBe("unknown");
  expect(await after(59)).toBe("unknown");
  expect(await after(2)).toBe("unserved");
  // A message that came later has not waited for so long yet.
  expect(await after(1, {}, 30_000)).toBe("unknown");
  expect(await after(59, { deliveries: 6 })).toBe("served");
  expect(await after(61)).toBe("unserved");
  expect(await after(60, { waiting: 0 })).toBe("served");
  expect(await after(3, { waiting: 1 })).toBe("unknown");
});
