import { eventsWith, shellCall } from "./common-calls.ts";
import { type CauseLabels, type Evidence, type EvidenceCall, evidenceBy, type Finding } from "./evidence.ts";
import { workloadOfOwner } from "./workload-of-owner.ts";

const ofEvents = eventsWith("FailedCreate");
const ofSets = `kubectl get rs -o jsonpath='{range .items[*]}{.kind}/{.metadata.name} {.status.conditions[?(@.type=="ReplicaFailure")].message}{"\\n"}{end}'`;

/** What refuses pods, where it was found. */
type Refusing = Pick<Finding, "object" | "field" | "wrong" | "right">;

/** How it is found what refuses pods. */
interface Refusals {
  /**
   * A shell filter of lines `<kind>/<name> <message>`, one for each object whose pods could not be made. It leaves `<kind>/<name>
   * <what refused>`.
   */
  readonly filter: string;
  /** Prints what may refuse pods. */
  readonly listing: EvidenceCall;
  /** What of the listing refuses pods, by the name that messages have. */
  readonly read: (listed: string) => ReadonlyMap<string, Refusing>;
}

/** Each thing that still refuses pods, on the first workload whose pods it has refused lately. */
export const refusedEvidence = ({ filter, listing, read }: Refusals, labels: CauseLabels): Evidence =>
  evidenceBy(
    [shellCall(`{ ${ofEvents}; ${ofSets}; } | ${filter} | sort -u`), listing],
    ([refused = "", listed = ""]) => {
      const refusing = read(listed);
      const found = new Map<string, Finding>();
      for (const [, by = "", name = ""] of refused.matchAll(/^([A-Z]\w*\/\S+) (\S+)$/gm)) {
        const [workload, cause] = [workloadOfOwner(by), refusing.get(name)];
        if (workload && cause && !found.has(name))
          found.set(name, { ...cause, workload: workload.name, seen: "cause", ...labels });
      }
      return [...found.values()];
    },
  );
