import { between, declaredWorkloads, defineNoise, kinds, serviceOf, z } from "@microremed/catalogue";

const parameters = z.object({
  off: z
    .int()
    .min(1)
    .max(99)
    .default(1)
    .describe("how far its first port was from the right one for a moment"),
});

export default defineNoise({
  name: "port-touched",
  title: "A Service's port that was changed and put right at once",
  description:
    "The port to which a Service leads was changed and, in the same second, changed back. It leads where it led.",
  parameters,
  changes: ["spec.ports[].targetPort"],
  drawn: { off: between(1, 99) },
  targets: (environment) =>
    declaredWorkloads(environment).filter(
      (target) => typeof serviceOf({ environment, target })?.spec.ports?.[0]?.targetPort === "number",
    ),
  decoys: (place) => [{ kind: "Service", name: serviceOf(place)?.name ?? place.target }],
  async place(context) {
    const { cluster, namespace, parameters: given } = context;
    const service = serviceOf(context);
    const right = service?.spec.ports?.[0]?.targetPort;
    if (!service || typeof right !== "number") return;
    for (const value of [right + given.off, right]) {
      const body = [{ op: "replace", path: "/spec/ports/0/targetPort", value }];
      await cluster.patch(kinds.service, namespace, service.name, { type: "json", body });
    }
  },
  isSettled: async () => true,
});
