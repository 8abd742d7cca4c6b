import type { TextFile } from "@microremed/catalogue/environment";
import { behind, type System } from "../system.ts";
import { type InferredCall, inferredCall, protocolOf } from "./calls.ts";
import { withoutComments } from "./comments.ts";
import { isInProse } from "./prose.ts";

/** `"GeoMongoAddress": "mongodb-geo:27017"`, `geo.mongo.address=mongodb-geo:27017` and the like. */
const line =
  /["']?([A-Za-z][\w.-]*)["']?\s*[:=]\s*["']?(?:[a-z][a-z0-9+.-]*:\/\/)?([a-z0-9][a-z0-9-]*)(?:\.[\w.-]+)?:(\d+)/g;
/** A file with more addresses than this is read no further. */
const mostLines = 2_000;

/**
 * Calls in configuration files that no manifest mounts, such as one that is built into all images: the key's name says which
 * program reads the address.
 */
export function callsInFiles(
  system: System,
  files: readonly TextFile[],
  known: readonly InferredCall[],
): InferredCall[] {
  const isKnown = new Set(known.map(({ from, call }) => `${from} ${call.to}`));
  const found = new Map<string, InferredCall>();
  const names = [...system.workloads.keys()].map((name) => ({ name, plain: plainOf(name) }));
  for (const file of files) {
    let read = 0;
    const text = withoutComments(file.name, file.text);
    for (const { 0: whole, 1: key = "", 2: host = "", 3: port, index } of text.matchAll(line)) {
      if (++read > mostLines) break;
      if (!system.services.has(host)) continue;
      const callees = behind(system, host);
      const from = readerOf(
        names.filter(({ name }) => !callees.includes(name)),
        key,
      );
      for (const to of callees) {
        const edge = `${from} ${to}`;
        if (from === undefined || from === to || isKnown.has(edge) || found.has(edge)) continue;
        const address = `${host}:${port}`;
        const protocol = protocolOf(system, to, { service: host, address, scheme: undefined });
        const call = inferredCall(system, to, address, protocol);
        const confidence = isInProse(text, index, index + whole.length) ? "guess" : "likely";
        found.set(edge, { from, call, confidence, why: `${key} in ${file.name}` });
      }
    }
  }
  return [...found.values()];
}

interface Name {
  readonly name: string;
  readonly plain: string;
}

const plainOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The workload with whose name a key begins; of several the longest. */
function readerOf(names: readonly Name[], key: string): string | undefined {
  const plain = plainOf(key);
  const fitting = names.filter((one) => begins(plain, one.plain));
  return fitting.toSorted((a, b) => b.name.length - a.name.length)[0]?.name;
}

const least = 4;

/** `reservemongoaddress` begins as `reservation` does. */
function begins(key: string, name: string): boolean {
  const bare = name.replace(/(service|svc|server)$/, "");
  if (bare.length >= 3 && key.startsWith(bare)) return true;
  let alike = 0;
  while (alike < bare.length && alike < key.length && key[alike] === bare[alike]) alike++;
  return alike >= least && alike >= 0.5 * bare.length;
}
