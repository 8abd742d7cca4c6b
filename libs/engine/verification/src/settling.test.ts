import { expect, test } from "vitest";
import { restingSince } from "./settling.ts";

const look = { at: 10, shape: "a", symptomShows: true, comesBack: false, atRest: true };

test("rests from the first look on, as long as nothing changes", () => {
  const first = restingSince(undefined, look);
  expect(first).toEqual({ shape: "a", since: 10 });
  expect(restingSince(first, { ...look, at: 20 })).toEqual({ shape: "a", since: 10 });
});

test("any change, any pause of the symptom and any movement starts again", () => {
  const first = restingSince(undefined, look);
  expect(restingSince(first, { ...look, at: 20, shape: "b" })).toEqual({ shape: "b", since: 20 });
  expect(restingSince(first, { ...look, symptomShows: false })).toBeUndefined();
  expect(restingSince(first, { ...look, atRest: false })).toBeUndefined();
  expect(restingSince(first, { ...look, comesBack: true })).toBeUndefined();
});
