import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findGateway } from "./find-gateway.ts";

const here = "http://127.0.0.1:7070";

test("the token of a folder's range is for its own address, however that is written, and for no other", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "find-gateway-"));
  const directory = join(folder.path, ".microremed");
  const find = (env: Record<string, string>) => findGateway({ env }, "agent", directory);
  expect(await find({})).toBeUndefined();
  const lacking = "MICROREMED_TOKEN is not set: export a token of that gateway";
  await expect(find({ MICROREMED_URL: here })).rejects.toThrow(lacking);
  await mkdir(directory);
  await writeFile(join(directory, "gateway.json"), JSON.stringify({ url: here, pid: 1 }));
  await writeFile(join(directory, "agent.token"), "mr_own\n");
  const own = { url: here, token: "mr_own" };
  expect(await find({})).toEqual(own);
  for (const url of [here, `${here}/`, "http://localhost:7070"])
    expect(await find({ MICROREMED_URL: url })).toEqual(own);
  for (const url of [
    "http://127.0.0.1:7071",
    "https://127.0.0.1:7070",
    "http://range.example:7070",
    "no url",
  ])
    await expect(find({ MICROREMED_URL: url })).rejects.toThrow(`the range in this folder is at ${here}`);
  expect(await find({ MICROREMED_URL: "http://a", MICROREMED_TOKEN: "b" })).toEqual({
    url: "http://a",
    token: "b",
  });
  await expect(find({ MICROREMED_TOKEN: "b" })).rejects.toThrow("MICROREMED_URL is not: say which gateway");
});
