import {
  anotherDeployment,
  type ContainerSpec,
  characters,
  defineFault,
  deletePods,
  drawnName,
  imageEvidence,
  imageField,
  offeredWorkloads,
  restartEverything,
  restartingShortcuts,
  setOther,
  workloadFault,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  registry: z
    .string()
    .regex(/^[a-z0-9.-]+\.[a-z]+$/)
    .default("registry.gitlab.com")
    .describe("host that has the image for those who are logged in"),
  secret: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("registry-login")
    .describe("the pull secret that the pods name; there is none"),
});

const secretsField = { of: "pod", field: "imagePullSecrets" } as const;

/** The image as a copy in a registry of the organisation's own. */
const movedTo = (registry: string, { image }: ContainerSpec): string =>
  `${registry}/platform/${image.split("@")[0]?.split("/").at(-1)}`;

/** An image was moved to a registry that asks for a login, and the Secret with the login is not there. */
export default defineFault({
  name: "image-pull-secret-missing",
  title: "Missing login for a registry",
  description: "image-pull-secret-missing: new pods of the service do not start",
  strengths: [
    {
      name: "another registry",
      parameters: { registry: "204711835962.dkr.ecr.eu-central-1.amazonaws.com", secret: "ecr-token" },
    },
  ],
  drawn: {
    // Of the registries that ask for a login, those of an account of AWS.
    registry: (rng) => {
      const region = `${rng.pick(["eu", "us", "ap", "sa"])}-${rng.pick(["central", "west", "east", "south"])}-${1 + rng.int(3)}`;
      return `${characters(rng, 12, "123456789")}.dkr.ecr.${region}.amazonaws.com`;
    },
    secret: drawnName("login", "pull", "regcred", "token"),
  },
  symptom: "ready",
  recovery: ["ready", "serving"],
  ...offeredWorkloads(),
  ...workloadFault({
    parameters,
    edits: [
      {
        ...imageField,
        wrong: ({ parameters: { registry } }, { container }) => movedTo(registry, container),
      },
      { ...secretsField, wrong: ({ parameters: { secret } }) => [{ name: secret }] },
    ],
    explanation: ({ target, parameters: { registry, secret } }) =>
      `${registry} gives the image of ${target} only to those who log in, and there is no Secret ${secret} with a login, so its new pods never start`,
    mechanism: "image-unavailable",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => imageEvidence(labels, { image: "cannot be pulled" }),
  }),
  shortcuts: [
    setOther("names another Secret that is not there", secretsField, [{ name: "regcred" }]),
    setOther("asks the registry for the newest image", imageField, ({ parameters: given }, { container }) => {
      const { registry } = parameters.parse(given ?? {});
      return movedTo(registry, container).replace(/:[^:]*$/, ":latest");
    }),
    restartEverything,
    deletePods,
    anotherDeployment,
  ],
  notShortcuts: restartingShortcuts,
});
