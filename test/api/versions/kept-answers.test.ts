/** Pages that older versions get again and again. */
import { expect, test } from "vitest";
import { openHouse } from "../support/api-house.ts";
import { makeBattery, uuid } from "../support/makers.ts";

const OLD = { "service-version": "2024-01-01" };
const NEW = { "service-version": "2024-10-01" };

test("a page is the same each time, and another when something on it changes", async () => {
  await using house = await openHouse();
  house.engine.add("battery", makeBattery({ id: uuid(1) }));
  const page = async () => (await house.ask({ url: "/batteries", headers: OLD })).json();
  const first = await page();
  expect(first.data[0]).toHaveProperty("locationId");
  expect(await page()).toEqual(first);
  house.engine.entries.battery[0] = { asset: makeBattery({ id: uuid(1), isReachable: false }), createdAtMs: 0 };
  expect((await page()).data[0]).toMatchObject({ id: uuid(1), isReachable: false });
});

test("each version gets its own", async () => {
  await using house = await openHouse();
  house.engine.add("battery", makeBattery());
  const first = async (headers: typeof OLD) => (await house.ask({ url: "/batteries", headers })).json().data[0];
  await first(OLD);
  expect(await first(NEW)).not.toHaveProperty("locationId");
  expect(await first(OLD)).toHaveProperty("locationId");
});
