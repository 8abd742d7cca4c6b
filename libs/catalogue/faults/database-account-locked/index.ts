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
const unlock = `ALTER USER ${account} ACCOUNT UNLOCK`;

const unlockAccount: Remedy = {
  name: "unlock",
  doc: "the expert's fix: unlocks the account",
  commands: (context) => [runStatement(context, unlock)],
};

const recreate: Remedy = {
  name: "recreate",
  doc: "drops the account and creates it again as it was, not locked",
  commands: (context) => [
    runStatement(
      context,
      `DROP USER ${account}; CREATE USER ${account} IDENTIFIED BY '$MYSQL_PASSWORD'; GRANT ALL PRIVILEGES ON $MYSQL_DATABASE.* TO ${account}`,
    ),
  ],
};

const setPassword: Remedy = {
  name: "set-password",
  doc: "sets the password that the account has anyway",
  commands: (context) => [runStatement(context, `ALTER USER ${account} IDENTIFIED BY '$MYSQL_PASSWORD'`)],
};

const grantAgain: Remedy = {
  name: "grant-again",
  doc: "grants the rights that the account has anyway",
  commands: (context) => [
    runStatement(context, `GRANT ALL PRIVILEGES ON $MYSQL_DATABASE.* TO ${account}; FLUSH PRIVILEGES`),
  ],
};

/** The account of the system's programs is locked at their database. */
export default defineFault({
  name: "database-account-locked",
  title: "Locked database account",
  description: "database-account-locked: the database refuses the system's programs",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...databaseFault({
    parameters: z.object({}),
    trouble: "locked",
    breaks: () => `ALTER USER ${account} ACCOUNT LOCK`,
    mends: unlock,
    words: {
      wrong: "the account of the system's programs is locked",
      right: "the account is not locked",
      why: "the account of the system's programs is locked",
    },
  }),
  repairs: [unlockAccount, recreate],
  shortcuts: [setPassword, grantAgain, restartEverything, deletePods],
});
