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
const create = `CREATE USER ${account} IDENTIFIED BY '$MYSQL_PASSWORD'`;
const grant = `GRANT ALL PRIVILEGES ON $MYSQL_DATABASE.* TO ${account}`;

const createUser: Remedy = {
  name: "create-user",
  doc: "the expert's fix: creates the account with the programs' password and gives it its database",
  commands: (context) => [runStatement(context, `${create}; ${grant}`)],
};

const grantWithPassword: Remedy = {
  name: "grant-with-password",
  doc: "grants the database with a password, which until MySQL 8.0 creates the account",
  commands: (context) => [runStatement(context, `${grant} IDENTIFIED BY '$MYSQL_PASSWORD'`)],
};

const withoutRights: Remedy = {
  name: "without-rights",
  doc: "creates the account and grants it nothing",
  commands: (context) => [runStatement(context, create)],
};

const otherPassword: Remedy = {
  name: "other-password",
  doc: "creates the account with a password that the programs do not have",
  commands: (context) => [runStatement(context, `CREATE USER ${account} IDENTIFIED BY 'changeme'; ${grant}`)],
};

/** The account of the system's programs is not registered any more at their database. */
export default defineFault({
  name: "database-user-dropped",
  title: "Dropped database user",
  description: "database-user-dropped: the database refuses the system's programs",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...databaseFault({
    parameters: z.object({}),
    trouble: "no-account",
    breaks: () => `DROP USER ${account}`,
    mends: `${create}; ${grant}`,
    words: {
      wrong: "no account for the system's programs",
      right: "the account that the server's variables name",
      why: "the account of the system's programs was dropped",
    },
  }),
  repairs: [createUser, grantWithPassword],
  shortcuts: [withoutRights, otherPassword, restartEverything, deletePods],
});
