import {
  databaseFault,
  defineFault,
  deletePods,
  type Remedy,
  restartEverything,
  runStatement,
  z,
} from "@microremed/catalogue";

const account = "'$MYSQL_USER'@'%'";
const grantOf = (privileges: string): string => `GRANT ${privileges} ON $MYSQL_DATABASE.* TO ${account}`;

const parameters = z.object({
  privileges: z
    .enum(["ALL PRIVILEGES", "INSERT, UPDATE, DELETE", "SELECT"])
    .default("ALL PRIVILEGES")
    .describe("what the account may not do any more"),
});

const grantAll: Remedy = {
  name: "grant-all",
  doc: "the expert's fix: grants the account all rights on its database",
  commands: (context) => [runStatement(context, grantOf("ALL PRIVILEGES"))],
};

const grantNeeded: Remedy = {
  name: "grant-needed",
  doc: "grants the account what its programs do: read, write, and change tables",
  commands: (context) => [
    runStatement(context, grantOf("SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, REFERENCES, DROP")),
  ],
};

const grantReading: Remedy = {
  name: "grant-reading",
  doc: "grants the account to read only",
  commands: (context) => [runStatement(context, grantOf("SELECT"))],
};

const setPassword: Remedy = {
  name: "set-password",
  doc: "sets the password that the account has anyway",
  commands: (context) => [runStatement(context, `ALTER USER ${account} IDENTIFIED BY '$MYSQL_PASSWORD'`)],
};

/** The account of the system's programs has lost its rights on its database. */
export default defineFault({
  name: "database-privileges-revoked",
  title: "Revoked database privileges",
  description: "database-privileges-revoked: the database refuses what the system's programs ask",
  strengths: [
    { name: "writing", parameters: { privileges: "INSERT, UPDATE, DELETE" } },
    { name: "reading", parameters: { privileges: "SELECT" } },
  ],
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...databaseFault({
    parameters,
    trouble: "no-privileges",
    breaks: ({ privileges }) => `REVOKE ${privileges} ON $MYSQL_DATABASE.* FROM ${account}`,
    mends: grantOf("ALL PRIVILEGES"),
    words: {
      wrong: "the account of the system's programs lacks rights on its database",
      right: "all privileges on its database",
      why: "the account of the system's programs has lost its rights",
    },
  }),
  repairs: [grantAll, grantNeeded],
  shortcuts: [grantReading, setPassword, restartEverything, deletePods],
});
