import {
  atMongo,
  createStatement,
  defineFault,
  deletePods,
  mongoFault,
  restartEverything,
} from "@microremed/catalogue";

/** The user of a system's program is not registered any more at its MongoDB server. */
export default defineFault({
  name: "mongo-user-dropped",
  title: "Dropped MongoDB user",
  description: "mongo-user-dropped: a program of the service ends as soon as it starts",
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  ...mongoFault({
    trouble: "no-user",
    breaks: ({ user }) => `db.dropUser('${user.user}')`,
    words: {
      wrong: "no user for the system's program",
      right: "the user that the server's script makes",
      why: "the user of the system's program was dropped",
    },
  }),
  repairs: [
    atMongo(
      "create-user",
      "the expert's fix: makes the user with the program's password and its roles",
      ({ user }) => createStatement(user),
    ),
  ],
  shortcuts: [
    atMongo("without-roles", "makes the user and gives it no roles", ({ user }) =>
      createStatement({ ...user, roles: [] }),
    ),
    atMongo("other-password", "makes the user with a password that the program does not have", ({ user }) =>
      createStatement({ ...user, pwd: "changeme" }),
    ),
    restartEverything,
    deletePods,
  ],
});
