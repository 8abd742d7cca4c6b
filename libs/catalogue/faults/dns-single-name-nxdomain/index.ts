import {
  breakCorefile,
  defineFault,
  deletePods,
  drawnEnding,
  dropRule,
  filterCorefile,
  mendNames,
  nameFault,
  objectName,
  offeredBehindServices,
  otherCode,
  type Remedy,
  restartEverything,
  serviceAgain,
  serviceOf,
  type TruthContext,
  z,
  zoneOf,
} from "@microremed/catalogue";

const parameters = z.object({
  rule: z
    .enum(["template", "rewrite"])
    .default("template")
    .describe("the name is answered with NXDOMAIN, or as another name, which no Service has"),
  other: objectName.default("next").describe("of a rewrite: how the other name ends, behind the Service's"),
});

const nameOf = (context: TruthContext): string => serviceOf(context)?.name ?? "";

const letThrough: Remedy = {
  name: "other-name",
  doc: "lets the rule be about another name, which no Service has",
  commands: (context) =>
    filterCorefile(`sed -E 's/(ANY|exact) ${nameOf(context)}[.]/\\1 ${nameOf(context)}-old./'`),
};

/** The name server answers for one Service that there is no such name. */
export default defineFault({
  name: "dns-single-name-nxdomain",
  title: "Name of a Service that is not found",
  description: "dns-single-name-nxdomain: the service cannot be reached by its name",
  strengths: [{ name: "rewritten", parameters: { rule: "rewrite" } }],
  drawn: {
    rule: (rng) => rng.pick(["template", "rewrite"] as const),
    other: drawnEnding("gen", "next", "mesh", "zone"),
  },
  ...offeredBehindServices(),
  ...nameFault({
    parameters,
    hides: "one",
    rule: (context) => {
      const { rule, other } = context.parameters;
      const [name, zone] = [nameOf(context), zoneOf(context.namespace)];
      const whole = `${name}.${zone}`;
      return {
        at: "before kubernetes",
        lines:
          rule === "rewrite"
            ? [`rewrite name exact ${whole} ${name}-${other}.${zone}`]
            : [`template ANY ANY ${whole} {`, "   rcode NXDOMAIN", "}"],
      };
    },
    explanation: (context) =>
      `a rule in the name server's Corefile keeps the name of the Service ${nameOf(context)} from being found`,
  }),
  repairs: [dropRule, letThrough],
  runbook: mendNames,
  shortcuts: [otherCode, breakCorefile, serviceAgain, restartEverything, deletePods],
});
