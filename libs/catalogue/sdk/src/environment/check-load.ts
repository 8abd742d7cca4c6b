import { likelyNames } from "@microremed/core";
import { checkAddress } from "./check-address.ts";
import type { Environment } from "./environment.types.ts";
import type { LoadSpec } from "./load-format.ts";
import { loadRequests, namedLoad } from "./load-requests.ts";
import { inWorkload } from "./places.ts";

/** What `workload.yaml` names and there is not. */
export function checkLoad(environment: Environment): string[] {
  const { load, workloads } = environment;
  const problems = checkAddress(environment, inWorkload("entry"), load.entry);
  if (load.from !== undefined && !(load.from in workloads))
    problems.push(
      `${inWorkload("from")}: the manifests have no workload ${JSON.stringify(load.from)}; leave it out, or name another: ${likelyNames(load.from, Object.keys(workloads))}`,
    );
  const named = Object.keys(load.loads ?? {}).flatMap((name) =>
    checkReplay(namedLoad(load, name), inWorkload(`loads.${name}.replay`)),
  );
  return [...problems, ...checkReplay(load, inWorkload("replay")), ...named];
}

/** What a replay asks for and its mix has not. */
function checkReplay(load: LoadSpec, at: string): string[] {
  const { rows, file } = load.replay ?? {};
  if (load.replay && !rows?.length) return [`${at}: expected a file with lines; write file: <its name>`];
  const known = loadRequests(load).map(({ path }) => path);
  const unknown = rows?.find(({ path }) => path !== undefined && !known.includes(path))?.path;
  return unknown === undefined
    ? []
    : [
        `${at}: ${file ?? "a row"} asks for ${unknown}, which is no path of its requests; ${likelyNames(unknown, known)}`,
      ];
}
