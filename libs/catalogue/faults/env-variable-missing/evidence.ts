import {
  type CauseLabels,
  changeFinding,
  changesByObject,
  commonCalls,
  type Evidence,
  evidenceBy,
} from "@microremed/catalogue";

const entry = /^(.*\.env)\[[^\]]+\](\.name)?$/;
/** Value in a variable that is gone, as the change log writes all of it. */
const value = /"value":"([^"]*)"/;

/** A variable is gone. Those behind it move up: the first that moved is in its place. */
export const removedVariable = (labels: CauseLabels): Evidence =>
  evidenceBy([commonCalls.changes], ([log = ""]) =>
    changesByObject(log).flatMap((changes) => {
      const moved = changes.find(
        ({ field, was }) => entry.test(field) && field.endsWith(".name") && was !== null,
      );
      const gone = changes.find(
        ({ field, is }) => entry.test(field) && !field.endsWith(".name") && is === null,
      );
      if (moved) {
        const { was } = changes.find(({ field }) => field === moved.field.replace(/name$/, "value")) ?? moved;
        const field = moved.field.replace(entry, `$1[${moved.was?.replaceAll('"', "")}]`);
        return [changeFinding({ ...moved, field, was, is: null }, labels)];
      }
      if (!gone) return [];
      const was = value.exec(gone.was ?? "")?.[1] ?? null;
      return [changeFinding({ ...gone, was }, labels)];
    }),
  );
