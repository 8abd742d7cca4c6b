import {
  breakCorefile,
  defineFault,
  deletePods,
  dropRule,
  filterCorefile,
  mendNames,
  nameFault,
  namespaceOf,
  offeredBehindServices,
  otherCode,
  type Remedy,
  restartEverything,
  serviceAgain,
  strangeAddress,
  z,
  zoneOf,
} from "@microremed/catalogue";

const parameters = z.object({
  rule: z
    .enum(["template", "stub"])
    .default("template")
    .describe(
      "a template answers for the zone, or a server block of its own asks a name server that knew it once",
    ),
  upstream: z.ipv4().default("172.20.0.53").describe("of a server block: the name server that it asks"),
});

/** A template is about old names alone; a server block asks the cluster. */
const keepRule: Remedy = {
  name: "keep-rule",
  doc: "leaves the rule in its place and lets it answer as the cluster does",
  commands: () =>
    filterCorefile(
      `awk '$1 == "rcode" { print "match ^former[.]"; print "fallthrough" } { print }' | sed -E 's/^([ \t]*)forward [.] [0-9.]+$/\\1kubernetes cluster.local/'`,
    ),
};

/** The name server answers for all names of the namespace that there are no such names, as its configuration is stale. */
export default defineFault({
  name: "dns-zone-nxdomain",
  title: "Zone of names that is not found",
  description: "dns-zone-nxdomain: the service cannot be reached by its name",
  strengths: [{ name: "stub-domain", parameters: { rule: "stub" } }],
  drawn: { rule: (rng) => rng.pick(["template", "stub"] as const), upstream: strangeAddress },
  ...offeredBehindServices(),
  ...nameFault({
    parameters,
    hides: "all",
    rule: ({ namespace, parameters: { rule, upstream } }) =>
      rule === "stub"
        ? { at: "end", lines: [`${zoneOf(namespace)}:53 {`, "    errors", `    forward . ${upstream}`, "}"] }
        : {
            at: "before kubernetes",
            lines: [`template ANY ANY ${zoneOf(namespace)} {`, "   rcode NXDOMAIN", "}"],
          },
    explanation: (context) =>
      `a rule in the name server's Corefile answers for all of ${zoneOf(namespaceOf(context))} in place of the cluster, and knows none of its names`,
  }),
  repairs: [dropRule, keepRule],
  runbook: mendNames,
  shortcuts: [otherCode, breakCorefile, serviceAgain, restartEverything, deletePods],
});
