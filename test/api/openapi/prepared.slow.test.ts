/** Descriptions that the build prepared. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { PageFiles } from "../../../src/platform/ports/page-files-port.ts";
import { openHouse } from "../support/api-house.ts";
import { makeBattery, uuid } from "../support/makers.ts";

const GOLDEN = readFileSync(new URL("../../golden/openapi-2024-10-01.json", import.meta.url));

/** Has these and counts what is read. */
function filesOf(contents: Readonly<Record<string, Buffer>>) {
  const asked: string[] = [];
  const descriptions: PageFiles = {
    read: async (name) => {
      asked.push(name);
      return contents[name] ?? null;
    },
  };
  return { asked, descriptions };
}

test("are sent as they are, each read once", async () => {
  const { asked, descriptions } = filesOf({ "house-2023-08-01.json": Buffer.from(`{"openapi":"3.1.0"}`) });
  await using house = await openHouse({ descriptions });
  for (const _again of [1, 2]) {
    const answer = await house.api.inject({ url: "/openapi.json?version=2023-08-01" });
    expect([answer.statusCode, answer.body]).toEqual([200, `{"openapi":"3.1.0"}`]);
    expect(answer.headers["content-type"]).toContain("application/json");
  }
  expect(asked).toEqual(["house-2023-08-01.json"]);
});

test("answers of older versions are mapped by the newest, read once for requests at the same time", async () => {
  const { asked, descriptions } = filesOf({ "house-2024-10-01.json": GOLDEN });
  await using house = await openHouse({ descriptions });
  house.api.swagger = () => expect.unreachable("the description was made");
  house.engine.add("battery", makeBattery({ id: uuid(1) }));
  const ask = (version: string) => house.ask({ url: "/batteries", headers: { "service-version": version } });
  const answers = Promise.all([ask("2024-01-01"), ask("2023-08-01")]);
  await house.clock.advance(1);
  for (const answer of await answers) expect(answer.json().data[0]).toHaveProperty("locationId");
  expect(asked.filter((name) => name === "house-2024-10-01.json")).toHaveLength(1);
});

test("are not used where headers have names of their own", async () => {
  const { asked, descriptions } = filesOf({});
  await using house = await openHouse({ descriptions, config: { compat: { namePrefix: "Acme" } } });
  const { parameters } = (await house.api.inject({ url: "/openapi.json" })).json().components;
  expect(parameters.version.name).toBe("Acme-Version");
  expect(asked).toEqual([]);
});
