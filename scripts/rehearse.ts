// npm run rehearse: the overlay `dev` as processes of this machine, with an experiment published to it by a bare NATS
// client and the remediator scaled from one to four in the middle.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMachine, messagesHandled, rehearse, rehearseDev } from "../libs/ops/deploy/src/index.ts";

const dir = await mkdtemp(join(tmpdir(), "microremed-rehearsal-"));
const say = (line: string): void => console.error(line);
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
const startedAt = performance.now();
say(`rehearsing k8s/overlays/dev; logs in ${dir}`);
{
  await using machine = await createMachine();
  if (!machine.network.isolated)
    say("no root: pods share the loopback, network policies are not held against what they do");
  if (!machine.bounds) say("no control groups of our own: memory limits are not applied");
  await using site = await rehearseDev(dir, machine);
  await site.start();
  say(`${site.pods.length} pods ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const { table, episodes, seconds } = await rehearse({
    client: {
      NATS_URL: `nats://${site.addressOf("nats")}:4222`,
      NATS_USER: "client",
      NATS_PASSWORD: site.secret("client-credentials", "NATS_PASSWORD"),
    },
    request: {
      environment: "simple-micro",
      model: "reference/runbook",
      failures: Array.from({ length: 4 }, () => [
        "cpu-stress",
        "memory-stress",
        "network-loss",
        "pod-fail",
      ]).flat(),
      seed: 1,
    },
    midway: {
      episodes: 4,
      act: async () => {
        await site.scale("remediator", 4);
        say("the remediator is scaled from 1 to 4");
      },
    },
  });
  say(`${episodes} episodes in ${seconds.toFixed(1)} s`);
  for (const pod of site.podsOf("remediator")) say(`${pod.name} took ${await messagesHandled(pod)} turns`);
  const { complaints, memory } = await site.findings();
  for (const { container, peakBytes, limitBytes } of memory)
    say(`${container} used ${mib(peakBytes)} of ${mib(limitBytes)}`);
  for (const complaint of complaints) say(complaint);
  if (complaints.length > 0) process.exitCode = 1;
  console.log(table);
}
await rm(dir, { recursive: true });
