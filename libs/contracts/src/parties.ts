/** Who sends and takes messages: the services, the gateway, clients (the command line), and who sets the range up. */
export const parties = [
  "scheduler",
  "injector",
  "remediator",
  "executor",
  "verifier",
  "gateway",
  "client",
  "admin",
] as const;

/** One of `parties`: the sender or receiver of a message, and the name of its user at NATS and Redis. */
export type Party = (typeof parties)[number];

/** The services that do an episode's stages. */
export type StageService = "injector" | "remediator" | "executor" | "verifier";
