import {
  type CauseLabels,
  type Evidence,
  type EvidenceCall,
  type Finding,
  printedBy,
  shellCall,
  workloadOfOwner,
} from "@microremed/catalogue";
import { holders } from "./place.ts";

/** `<pod> <owner> <container> <user> <database>` of each PostgreSQL server. */
const serversCall = shellCall(
  `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name} {.spec.containers[0].name} {.spec.containers[0].env[?(@.name=="POSTGRES_USER")].value} {.spec.containers[0].env[?(@.name=="POSTGRES_DB")].value}{"\\n"}{end}' | grep -E ' \\S+ \\S+$'`,
);

/** Servers that are asked. */
const mostServers = 8;

/** `<owner> <pid>|<table>` for each session that keeps all others from a table. */
function sessionsCall(listed: string): EvidenceCall | undefined {
  const servers = [...listed.matchAll(/^(\S+) (\S+) ([\w-]+) ([\w.-]+) ([\w.-]+)$/gm)].slice(0, mostServers);
  if (servers.length === 0) return undefined;
  const query = holders("a.pid, l.relation::regclass");
  return shellCall(
    servers
      .map(
        ([, pod, owner, container, user, database]) =>
          `echo "server ${owner}"; kubectl exec ${pod} -c ${container} -- psql -U ${user} -d ${database} -t -A -c "${query}"`,
      )
      .join("; "),
  );
}

/** Sessions that hold a table for themselves. */
export const lockEvidence = (labels: CauseLabels): Evidence => ({
  next([listed, held]) {
    if (listed === undefined) return serversCall;
    const call = sessionsCall(printedBy(listed));
    if (!call) return [];
    if (held === undefined) return call;
    return printedBy(held)
      .split(/^server /m)
      .flatMap((part) => findingIn(part, labels));
  },
});

function findingIn(part: string, labels: CauseLabels): Finding[] {
  const [owner = "", ...lines] = part.split("\n");
  const object = workloadOfOwner(owner.trim());
  const [, pid, table] =
    lines.map((line) => /^(\d+)\|(\S+)$/.exec(line.trim())).find((one) => one !== null) ?? [];
  if (!object || pid === undefined) return [];
  const wrong = `session ${pid} holds an exclusive lock on ${table}`;
  return [{ object, field: "", wrong, right: "", workload: object.name, seen: "cause", ...labels }];
}
