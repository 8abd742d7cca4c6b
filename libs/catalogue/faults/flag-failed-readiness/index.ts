import {
  defineFault,
  deploymentWithContainer,
  flagFault,
  isRolledOut,
  type TruthContext,
  targetOf,
} from "@microremed/catalogue";

/** As the service of carts would be asked, which the demo's chart does not do. */
const probe = { periodSeconds: 5, timeoutSeconds: 1, failureThreshold: 2, successThreshold: 1 };

const portOf = ({ environment, target }: Pick<TruthContext, "environment" | "target">): number =>
  targetOf(environment, target)?.container.behaviour.listens[0] ?? 0;

/** A flag makes the service of carts say that it is not ready, so that no request comes to it. */
export default defineFault({
  name: "flag-failed-readiness",
  title: "A service that says it is not ready, by a feature flag",
  description: "flag-failed-readiness: no pod of the service is ready",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...flagFault({
    flag: "failedReadinessProbe",
    variant: "on",
    program: "cart",
    effect: "its health check says that it does not serve, and no request is sent to it",
  }),
  setting: (context) => [
    deploymentWithContainer(context, (container) => ({
      ...container,
      readinessProbe: { ...probe, grpc: { port: portOf(context) } },
    })),
  ],
  isSettled: (context) => isRolledOut(context, targetOf(context.environment, context.target)?.name ?? ""),
});
