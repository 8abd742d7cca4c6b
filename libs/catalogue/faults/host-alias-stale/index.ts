import {
  type CauseLabels,
  type ChangedField,
  changeFinding,
  changesByObject,
  commonCalls,
  defineFault,
  deletePods,
  type Evidence,
  evidenceBy,
  isLoaded,
  offeredWorkloads,
  type Place,
  restartEverything,
  setOther,
  shownServices,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  address: z
    .ipv4()
    .default("10.103.218.47")
    .describe("what the hosts file has for the name; no Service has the address any more"),
});

const field = { of: "pod", field: "hostAliases" } as const;

/** The name that the workload looks up for the first call that it cannot do without. */
const nameOf = ({ workload: { calls } }: Place): string | undefined =>
  calls
    .filter(({ discovery, required, perRequest }) => discovery === "dns" && required && perRequest > 0)
    .map(({ address }) => address.split(":")[0] ?? "")
    .find((host) => /[a-z]/.test(host));

const aliases = (place: Place, ...addresses: string[]) =>
  addresses.map((ip) => ({ ip, hostnames: [nameOf(place) ?? ""] }));

/** Pods were given an address of their own for the name of a Service. */
const hidesService = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes, commonCalls.topology], ([log = "", topology = ""]) => {
    const services = shownServices(topology).map(({ name }) => name);
    const isHidden = ({ field: path, is }: ChangedField): boolean =>
      path.startsWith("spec.template.spec.hostAliases") &&
      services.some((name) => is?.includes(`"${name}"`) || is?.includes(`"${name}.`));
    return changesByObject(log).flatMap((changes) => {
      const found = changes.find(isHidden);
      return found ? [changeFinding(found, labels)] : [];
    });
  });

/** The pods' hosts file has an address for a name that was right once: nothing is there now. */
export default defineFault({
  name: "host-alias-stale",
  title: "Outdated address in the hosts file",
  description: "host-alias-stale: the service does not reach what it depends on",
  // Of the range of Services, which has a million.
  drawn: { address: (rng) => `10.${97 + rng.int(14)}.${rng.int(256)}.${1 + rng.int(254)}` },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...offeredWorkloads((place, environment) => {
    if (nameOf(place) === undefined)
      return `${place.name} needs no other workload that it looks up by its name`;
    if (!isLoaded(environment, place.name)) return `users hardly ever reach ${place.name}`;
    return place.workload.initContainers.length === 0
      ? undefined
      : `an init container of ${place.name} may keep the new pods from taking the place of the old ones`;
  }),
  ...workloadFault({
    parameters,
    edits: [{ ...field, wrong: ({ parameters: { address } }, place) => aliases(place, address) }],
    explanation: ({ target, parameters: { address } }) =>
      `the hosts file of the pods of ${target} has the outdated address ${address} for what it calls, and name service is not asked`,
    mechanism: "name-not-resolved",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: hidesService,
  }),
  shortcuts: [
    setOther("puts another outdated address there", field, (_, place) => aliases(place, "10.103.218.48")),
    restartEverything,
    deletePods,
  ],
});
