import type { ClusterStatus } from "@microremed/contracts";
import { plainTable } from "@microremed/scoring";
import { Command } from "commander";
import { openClient } from "../connection.ts";
import type { Context } from "../context.ts";
import { outputOption } from "../output.ts";

/** `microremed clusters list|release`: the clusters of the running range. */
export function clustersCommand(context: Context): Command {
  const group = new Command("clusters");
  group.addCommand(list(context), { isDefault: true });
  group.addCommand(release(context));
  return group;
}

function list(context: Context): Command {
  return new Command("list")
    .description("list clusters with their arenas, and the reasons of quarantines")
    .addOption(outputOption())
    .action(async ({ output }: { output: "table" | "json" }) => {
      await using client = await openClient(context);
      const clusters = await client.clusters();
      context.terminal.print(
        output === "json" ? JSON.stringify(clusters, null, 2) : asTable(clusters, context.terminal.width),
      );
    });
}

function release(context: Context): Command {
  return new Command("release")
    .description(
      "end the quarantine of a cluster and its arenas at once, without checking whether it answers",
    )
    .argument("<name>", "the cluster")
    .action(async (name: string) => {
      await using client = await openClient(context, "admin");
      const released = await client.releaseCluster(name);
      context.terminal.say(
        released ? `${name} is in use again` : `neither ${name} nor any of its arenas is quarantined`,
      );
    });
}

function asTable(clusters: readonly ClusterStatus[], width: number): string {
  const heading = ["cluster", "free", "leased", "quarantined", "state", "reason"];
  const rows = clusters.flatMap(({ name, quarantine, arenas }) => {
    const count = (state: string): string => String(arenas.filter((arena) => arena.state === state).length);
    const whole = quarantine && [`since ${new Date(quarantine.since).toISOString()}`, quarantine.reason];
    const rest = whole ?? (arenas.length === 0 ? ["drained", ""] : ["in use", ""]);
    return [
      [name, count("free"), count("leased"), count("quarantined"), ...rest],
      ...arenas.flatMap(({ slot, reason }) =>
        reason === null ? [] : [[`${name}/${slot}`, "", "", "", "quarantined", reason]],
      ),
    ];
  });
  return plainTable([heading, ...rows.map((row) => row.map(oneLine))], width);
}

function oneLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 160);
}
