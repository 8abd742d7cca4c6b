import {
  type CauseLabels,
  commonCalls,
  type Evidence,
  evidenceBy,
  type Finding,
  pauseOf,
  shellCall,
  workloadInName,
} from "@microremed/catalogue";

const refusals = "password authentication failed|WRONGPASS|NOAUTH|Access denied";

/** Programs that are refused say so every few seconds. */
const logSeconds = 8;

/** `<pod> <container> <start> <Secrets>` for each pod whose program has variables from Secrets. */
const pods = `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.spec.containers[0].name} {.status.startTime} {.spec.containers[0].env[*].valueFrom.secretKeyRef.name}{"\\n"}{end}'`;

/** `<pod> <start> <Secrets>` of those that a datastore has refused lately. */
const refusedPods = shellCall(
  `${pods} | while read p c t s; do if [ -n "$s" ]; then if kubectl logs "$p" -c "$c" --tail=20 | grep -qE "${refusals}"; then echo "$p $t $s"; fi; fi; done`,
);

const secondsIn = (time: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  return 3600 * hours + 60 * minutes + seconds;
};

/** Whether a time of day is after another one; both are of the last hours. */
const isAfter = (one: string, other: string): boolean => {
  const day = 86_400;
  const passed = (secondsIn(one) - secondsIn(other) + day) % day;
  return passed > 0 && passed < day / 2;
};

/** When the data of each Secret was last written, by the change log, which has the latest first. */
function writesIn(log: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, time = "", name = "", said = ""] of log.matchAll(
    /^(\d\d:\d\d:\d\d) secret\/(\S+) \(\w+\): (.*)$/gm,
  ))
    if (/\bdata\b/.test(said) && !found.has(name)) found.set(name, time);
  return found;
}

/** Pods that a datastore refuses and that have started before a Secret was written from which their program has a variable. */
export const staleEvidence = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes, pauseOf(logSeconds), refusedPods], ([log = "", , refused = ""]) => {
    const writes = writesIn(log);
    const found = new Map<string, Finding>();
    for (const [, pod = "", start = "", secrets = ""] of refused.matchAll(
      /^([a-z0-9.-]+) \S+T([\d:]+)Z (.*)$/gm,
    )) {
      const secret = secrets.split(" ").find((name) => isAfter(writes.get(name) ?? start, start));
      if (secret !== undefined)
        found.set(workloadInName(pod), findingOf(workloadInName(pod), secret, labels));
    }
    return [...found.values()];
  });

const findingOf = (workload: string, secret: string, labels: CauseLabels): Finding => ({
  object: { kind: "Deployment", name: workload },
  field: "",
  wrong: `started before Secret ${secret} was written`,
  right: "",
  workload,
  seen: "cause",
  ...labels,
});
