import type { Probe } from "@microremed/contracts";
import type { Question } from "./question.ts";

export function events({ of, warnings }: Extract<Probe, { kind: "events" }>): Question {
  const [kind, name] = of?.includes("/") ? of.split("/") : [undefined, of];
  const fields = [
    ...(name === undefined ? [] : [`involvedObject.name=${name}`]),
    ...(warnings ? ["type=Warning"] : []),
  ];
  const selected = fields.length === 0 ? [] : [`--field-selector=${fields.join(",")}`];
  return {
    argv: ["kubectl", "get", "events", "--sort-by=.lastTimestamp", ...selected],
    ...(kind !== undefined && { render: (printed) => onlyKind(printed, kind) }),
  };
}

/** A name may be that of a Deployment and of its Service: the table says `<kind>/<name>`. */
function onlyKind(table: string, kind: string): string {
  const [head, ...rows] = table.trimEnd().split("\n");
  return [head, ...rows.filter((row) => row.includes(` ${kind}/`))].join("\n");
}
