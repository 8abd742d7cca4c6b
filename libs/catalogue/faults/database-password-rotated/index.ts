import {
  databaseFault,
  defineFault,
  deletePods,
  drawnPassword,
  type Remedy,
  restartEverything,
  runStatement,
  z,
} from "@microremed/catalogue";

const account = "'$MYSQL_USER'@'%'";
const alter = (password: string): string => `ALTER USER ${account} IDENTIFIED BY '${password}'`;
const configured = "$MYSQL_PASSWORD";

const parameters = z.object({
  password: z
    .string()
    .regex(/^\w{8,40}$/)
    .default("q7Vn2xLr9d")
    .describe("the account's password from now on; no Secret has it"),
});

const setBack: Remedy = {
  name: "set-password",
  doc: "the expert's fix: gives the account the password that all programs are configured with",
  commands: (context) => [runStatement(context, alter(configured))],
};

const setPasswordFor: Remedy = {
  name: "set-password-for",
  doc: "the same with the older statement",
  commands: (context) => [runStatement(context, `SET PASSWORD FOR ${account} = '${configured}'`)],
};

const anotherPassword: Remedy = {
  name: "another-password",
  doc: "gives the account a third password",
  commands: (context) => [runStatement(context, alter("changeme"))],
};

const grantAgain: Remedy = {
  name: "grant-again",
  doc: "grants the rights that the account has anyway",
  commands: (context) => [
    runStatement(context, `GRANT ALL PRIVILEGES ON $MYSQL_DATABASE.* TO ${account}; FLUSH PRIVILEGES`),
  ],
};

/** The password of the programs' account was changed at the database, and nowhere else. */
export default defineFault({
  name: "database-password-rotated",
  title: "Rotated database password",
  description: "database-password-rotated: the database refuses the system's programs",
  drawn: { password: drawnPassword },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...databaseFault({
    parameters,
    trouble: "other-password",
    breaks: ({ password }) => alter(password),
    mends: alter(configured),
    words: {
      wrong: "the account of the system's programs has a password that they do not have",
      right: "the password of the Secrets",
      why: "the password of the programs' account was changed only",
    },
  }),
  repairs: [setBack, setPasswordFor],
  shortcuts: [anotherPassword, grantAgain, restartEverything, deletePods],
});
