import { serviceOfHost } from "@microremed/catalogue/environment";
import type { System } from "../system.ts";
import { textsOfPods } from "./mentions.ts";
import { isInProse } from "./prose.ts";

/** An address after a scheme, or a host and a port by themselves. */
const withScheme =
  /(?<![\w-])[a-z][a-z0-9+.-]*:\/\/(?:[^\s@/"']*@)?(?<host>[a-z0-9][\w.-]*)(?::(?<port>\d{1,5}))?/gi;
const withPort = /(?<![\w.:/@-])(?<host>[a-z][\w-]*(?:\.[a-z][\w-]*)*):(?<port>\d{2,5})(?![\w.:-])/gi;
const local = /^(localhost|kubernetes(\.default(\.svc.*)?)?)$/i;
const address = /^[\d.]+$/;
/** Addresses of one text at most. */
const mostPlaces = 100;

/** Addresses in variables, commands and scripts that lead to no Service, each with the first place that has it. */
export function unmatchedAddresses(system: System): ReadonlyMap<string, string> {
  const services = Object.fromEntries(system.services);
  const found = new Map<string, string>();
  for (const [name, pods] of [...system.workloads, ...system.jobs])
    for (const text of textsOfPods(system, pods)) {
      if (!text.isProgram) continue;
      for (const pattern of [withScheme, withPort])
        for (const { 0: whole, index, groups } of [...text.text.matchAll(pattern)].slice(0, mostPlaces)) {
          const { host = "", port } = groups ?? {};
          if (local.test(host) || address.test(host) || serviceOfHost({ services }, host)) continue;
          if (isInProse(text.text, index, index + whole.length)) continue;
          const dialled = `${host}${port === undefined ? "" : `:${port}`}`;
          if (!found.has(dialled)) found.set(dialled, `${text.why}, ${name}`);
        }
    }
  return found;
}
