/** What a fresh sandbox holds beside its Modbus house. */
import { expect, test } from "vitest";
import { DEMO_ACCOUNT, inviteGuests } from "../../../src/cli/sandbox/sandbox-guests.ts";
import { configSchema } from "../../../src/config/config.ts";
import { LinkVisit } from "../support/link-visit.ts";
import type { RealHouse } from "../support/real-house.ts";
import { openSandbox, send } from "../support/sandbox-house.ts";

const SCOPES = ["vehicle:read:data", "vehicle:control:charging"];
const PLACE = { latitude: 52.52, longitude: 13.405 };

async function invite(house: RealHouse): Promise<void> {
  const config = configSchema([]).parse({ site: { place: PLACE }, sandbox: { isEnabled: true } });
  await house.home.world.clock.resolve(inviteGuests({ engine: house.run.engine, config }), 10_000);
}

test("a car and a heat pump of the home's user are there at once", async () => {
  await using house = await openSandbox();
  await invite(house);
  expect((await send(house, "GET", "/vehicles")).data).toMatchObject([{ userId: "home", isReachable: true }]);
  expect((await send(house, "GET", "/hvacs")).data).toMatchObject([{ userId: "home", isReachable: true }]);
});

test("guests that are there are not invited again", async () => {
  await using house = await openSandbox();
  await invite(house);
  await invite(house);
  expect((await send(house, "GET", "/local/simulated/vehicle")).data).toHaveLength(2);
});

test("the demo account links the guest's car to another user", async () => {
  await using house = await openSandbox();
  await invite(house);
  const body = {
    vendorType: "vehicle",
    scopes: SCOPES,
    language: "en-US",
    redirectUri: "myapp://done",
    vendor: "SIMULATED",
  };
  const person = await LinkVisit.open(house, (await send(house, "POST", "/users/ann/link", body)).linkUrl);
  await person.press();
  await person.press({ scope: SCOPES });
  await person.press(DEMO_ACCOUNT);
  expect(person.page.title).toBe("Choose your devices");
  const made = (await send(house, "GET", "/local/simulated/vehicle")).data;
  const { id } = made.find(({ username }: { username: string | null }) => username === DEMO_ACCOUNT.username);
  expect((await person.press({ device: id })).title).toBe("All set");
  await house.pass(5_000);
  expect((await send(house, "GET", "/users/ann/vehicles")).data).toMatchObject([
    { isReachable: true, information: { displayName: "Guest's car" } },
  ]);
});
