import { connect } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import { test } from "vitest";
import { allGoesWell, startRange } from "./testing/range.ts";
for (let round = 0; round < 8; round++) test(`round ${round}`, async () => {
  const t0 = performance.now();
  await using range = await startRange(async (stage, command) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return allGoesWell(stage, command);
  });
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  await range.bus.submit({ environment: "shop", model: "m", id: "rough" });
  const wait = async (n: number) => { const end = Date.now() + 20000; while (range.commands.length <= n && Date.now() < end) await new Promise((r) => setTimeout(r, 10)); };
  for (const [server, commands] of [["nats", 10], ["redis", 40], ["nats", 70], ["redis", 90]] as const) {
    await wait(commands);
    await range.crash(server);
  }
  const end = Date.now() + 12000;
  while (Date.now() < end && (await range.state.experiments.running()).length > 0) await new Promise((r) => setTimeout(r, 50));
  const took = Math.round(performance.now() - t0);
  if ((await range.state.experiments.running()).length > 0) {
    console.log("STUCK", range.commands.length, "outbox", await range.state.outbox.size(), await range.state.outbox.claim({limit: 5, claimMs: 10}));
    for (const e of await range.episodes("rough").catch((x) => { console.log(String(x)); return []; })) if (e.state !== "done") console.log(e.id, e.state, e.trial, e.attempt, e.version, e.arena?.cluster, range.commands.filter((c) => c.startsWith(e.id)).join(" "));
    const nc = await connect({ servers: (range as any).natsUrl() });
    const m = await jetstreamManager(nc);
    for (const s of ["COMMANDS", "RESULTS"]) for await (const c of m.consumers.list(s)) console.log(s, c.name, "pending", c.num_pending, "ack", c.num_ack_pending, "waiting", c.num_waiting, "redel", c.num_redelivered);
    for await (const d of range.bus.deadLetters()) console.log("dead", d.subject, d.code, d.reason);
    console.log(await range.state.arenas.list());
    await nc.close();
  } else console.log("fine", took);
}, 60000);
