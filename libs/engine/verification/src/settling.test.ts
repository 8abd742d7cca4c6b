import { expect, test } from "vitest";
import { restingSince } from "./settling.ts";

const check = { at: 10, shape: "a", symptomShows: true, comesBack: false, atRest: true };

test("rests from the first check on, as long as nothing changes", () => {
  const first = restingSince(undefined, check);
  expect(first).toEqual({ shape: "a", since: 10 });
  expect(restingSince(first, { ...check, at: 20 })).toEqual({ shape: "a", since: 10 });
});

test("any change, any pause of the symptom and any movement starts again", () => {
  const first = restingSince(undefined, check);
  expect(restingSince(first, { ...check, at: 20, shape: "b" })).toEqual({ shape: "b", since: 20 });
  expect(restingSince(first, { ...check, symptomShows: false })).toBeUndefined();
  expect(restingSince(first, { ...check, atRest: false })).toBeUndefined();
  expect(restingSince(first, { ...check, comesBack: true })).toBeUndefined();
});
