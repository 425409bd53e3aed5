/** Several devices behind one login that the vendor stops taking. */
import { expect, test } from "vitest";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { makeFakeVendors } from "../../engine/linking/fake-vendors.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const HOURS_MS = 3_600_000;
const SCOPES = ["charger:read:data", "vehicle:read:data"];
const LINK = { scopes: SCOPES, vendor: "TESLA", vendorType: "charger", language: "en-US", redirectUri: "myapp://done" };
/** Long enough that a device whose login is refused is asked hours apart. */
const LONG_AGO_MS = 14 * HOURS_MS;

/** A car and a wallbox in one account, both linked. */
async function openAccount() {
  const fakeVendors = makeFakeVendors();
  const home = makeHome(1, { adapters: [fakeVendors.adapter] });
  const vendors = ["TESLA", "SIMULATED"];
  const charger = home.add("c-1", chargerOptions({ vendors }));
  const vehicle = home.add("v-1", { values: { "vehicle.soc": 64 }, vendors });
  for (const key of ["c-1", "v-1"]) delete home.devices[key];
  fakeVendors.account["c-1"] = { device: charger, name: "Wallbox" };
  fakeVendors.account["v-1"] = { device: vehicle, name: "Car", vendorTypes: ["vehicle"] };
  fakeVendors.isEntered = true;
  const house = await openRealHouse({ home });
  await linkAgain(house, ["c-1", "v-1"]);
  const ids = { charger: (await shown(house, "chargers")).id, vehicle: (await shown(house, "vehicles")).id };
  return {
    house,
    ids,
    async lose(): Promise<void> {
      for (const device of [charger, vehicle]) device.isAuthorized = false;
      await house.pass(LONG_AGO_MS);
      for (const device of [charger, vehicle]) device.isAuthorized = true;
    },
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

async function shown(house: RealHouse, kind: string) {
  const { data } = (await house.ask({ url: `/users/anna/${kind}` })).json<{
    data: { id: string; isReachable: boolean }[];
  }>();
  return data[0] ?? { id: "", isReachable: false };
}

/** Through the pages of a vendor whose code is entered already. */
async function enterCode(house: RealHouse, person: LinkVisit): Promise<void> {
  for (let looks = 0; looks < 5 && person.page.title.includes("Tesla"); looks += 1) {
    await house.pass(6_000);
    await person.reload();
  }
}

async function linkAgain(house: RealHouse, devices: readonly string[]): Promise<void> {
  const answer = await house.ask({ method: "POST", url: "/users/anna/link", payload: LINK });
  const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
  await person.press();
  await person.press({ scope: SCOPES });
  await enterCode(house, person);
  expect((await person.press({ device: devices })).title).toBe("All set");
  await house.pass(5_000);
}

test("signing in anew for one of them brings back those of other kinds, too", async () => {
  await using account = await openAccount();
  const { house, ids } = account;
  await account.lose();
  expect([await shown(house, "chargers"), await shown(house, "vehicles")]).toEqual([
    expect.objectContaining({ isReachable: false }),
    expect.objectContaining({ isReachable: false }),
  ]);
  const { scopes: _scopes, vendor: _vendor, vendorType: _vendorType, ...body } = LINK;
  const answer = await house.ask({ method: "POST", url: `/assets/${ids.charger}/relink`, payload: body });
  const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
  await person.press();
  await enterCode(house, person);
  expect(person.page.title).toBe("Access restored");
  await house.pass(5_000);
  expect(await shown(house, "chargers")).toMatchObject({ id: ids.charger, isReachable: true });
  expect(await shown(house, "vehicles")).toMatchObject({ id: ids.vehicle, isReachable: true });
});

test("linking one of them again asks the others at once", async () => {
  await using account = await openAccount();
  const { house, ids } = account;
  await account.lose();
  await linkAgain(house, ["c-1"]);
  expect(await shown(house, "vehicles")).toMatchObject({ id: ids.vehicle, isReachable: true });
});
