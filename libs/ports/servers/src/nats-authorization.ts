import { permissions, type User, users } from "@microremed/contracts";

/** A password, or the environment variable of the server that holds it. */
export type NatsPassword = string | { readonly variable: string };

/** How long a service may take to answer a request: longer than the longest probe. */
const answerWithin = "10m";

/** The `authorization` block of a nats-server's configuration: the product's users, each with its rights. */
export function natsAuthorization(passwordOf: (user: User) => NatsPassword): string {
  const blocks = users.map((user) => {
    const password = passwordOf(user);
    const { publish, subscribe, answers } = permissions[user].nats;
    return [
      "    {",
      `      user: ${user}`,
      `      password: ${typeof password === "string" ? JSON.stringify(password) : `$${password.variable}`}`,
      "      permissions {",
      `        publish { allow: ${listOf(publish)} }`,
      `        subscribe { allow: ${listOf(subscribe)} }`,
      ...(answers ? [`        allow_responses { max: 1, expires: "${answerWithin}" }`] : []),
      "      }",
      "    }",
    ].join("\n");
  });
  return `authorization {\n  users: [\n${blocks.join("\n")}\n  ]\n}\n`;
}

function listOf(subjects: readonly string[]): string {
  return `[${subjects.map((subject) => JSON.stringify(subject)).join(", ")}]`;
}
