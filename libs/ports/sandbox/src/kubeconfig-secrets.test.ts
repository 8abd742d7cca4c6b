import { expect, test } from "vitest";
import { secretsOf, withoutSecrets } from "./kubeconfig-secrets.ts";

test("finds tokens, passwords and keys in YAML and JSON", () => {
  expect(
    secretsOf('users:\n- name: a\n  user:\n    token: abcdefghij\n    client-key-data: "a2V5a2V5"\n'),
  ).toEqual(["abcdefghij", "a2V5a2V5"]);
  expect(secretsOf('{"users":[{"user":{"token":"abcdefghij"}}]}')).toEqual(["abcdefghij"]);
});

test("strikes every occurrence out", () => {
  expect(withoutSecrets("token abcdefghij, again abcdefghij", ["abcdefghij"])).toBe(
    "token [secret], again [secret]",
  );
});
