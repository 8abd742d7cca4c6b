import { defineFault, flagFault } from "@microremed/catalogue";

/** A flag makes the checkout flood a queue, and one of its consumers slow. */
export default defineFault({
  name: "flag-kafka-queue",
  title: "A flooded queue, by a feature flag",
  description: "flag-kafka-queue: a consumer of the queue is far behind",
  symptom: "lag",
  recovery: ["ready", "serving", "lag"],
  ...flagFault({
    flag: "kafkaQueueProblems",
    variant: "on",
    program: "kafka",
    effect: "the checkout writes a hundred more messages for each order and a consumer waits at each of them",
    faultType: "Misconfiguration",
  }),
});
