import { expect, test } from "vitest";
import { lookedUp } from "../../../../../adapters/clouds/kit/device/site-parts.ts";
import { CloudError } from "../../../../../adapters/clouds/kit/session/cloud-error.ts";
import { ofEach } from "../../../../../adapters/clouds/kit/session/of-each.ts";

/** Answers a name in capitals, and says no to some. */
async function look(name: string): Promise<string> {
  if (name === "closed") throw new CloudError("forbidden", "no");
  if (name === "busy") throw new CloudError("rate-limited", "later");
  return name.toUpperCase();
}

test("what the vendor says no to does not cost the others, and is missed", async () => {
  expect(await ofEach(["a", "closed", "b"], look)).toEqual({ found: ["A", "B"], isWhole: false });
  expect(await ofEach(["a", "b"], look)).toEqual({ found: ["A", "B"], isWhole: true });
  expect(await ofEach([], look)).toEqual({ found: [], isWhole: true });
});

test("what the vendor says no to altogether is refused, and what may come later is asked for later", async () => {
  await expect(ofEach(["closed"], look)).rejects.toMatchObject({ kind: "forbidden" });
  await expect(ofEach(["a", "busy"], look)).rejects.toMatchObject({ kind: "rate-limited" });
});

test("a site that the vendor does not tell of is still there", async () => {
  expect((await lookedUp(["a", "closed", "b"], 2, look)).map(({ site, found }) => [site, found])).toEqual([
    ["a", "A"],
    ["closed", null],
    ["b", null],
  ]);
});
