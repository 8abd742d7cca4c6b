import {
  atMongo,
  defineFault,
  deletePods,
  mongoFault,
  restartEverything,
  rolesText,
} from "@microremed/catalogue";

/** The user of a system's program may not use its database any more at its MongoDB server. */
export default defineFault({
  name: "mongo-role-revoked",
  title: "Revoked MongoDB role",
  description: "mongo-role-revoked: a program of the service ends as soon as it starts",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...mongoFault({
    trouble: "no-role",
    breaks: ({ user, database }) =>
      `db.revokeRolesFromUser('${user.user}', [{role: 'readWrite', db: '${database}'}])`,
    words: {
      wrong: "the program's user has no role on its database",
      right: "readWrite on it, as the server's script grants it",
      why: "the role of the system's program on its database was revoked",
    },
  }),
  repairs: [
    atMongo(
      "grant-role",
      "the expert's fix: gives the user its roles again",
      ({ user }) => `db.grantRolesToUser('${user.user}', ${rolesText(user.roles)})`,
    ),
  ],
  shortcuts: [
    atMongo(
      "grant-elsewhere",
      "gives the user the role on a database that the program does not use",
      ({ user }) => `db.grantRolesToUser('${user.user}', [{role: 'readWrite', db: 'test'}])`,
    ),
    restartEverything,
    deletePods,
  ],
});
