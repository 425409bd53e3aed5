/** Made-up accounts of the sandbox, linked on the page as real ones are. */
import { describe, expect, test } from "vitest";
import { LinkVisit } from "../support/link-visit.ts";
import type { RealHouse } from "../support/real-house.ts";
import { openSandbox, send } from "../support/sandbox-house.ts";

const SCOPES = ["charger:control:charging", "charger:read:data"];
const ACCOUNT = { vendor: "EASEE", username: "anna", password: "sunshine", name: "Garage", model: "Home" };
const SIGN_IN = { username: "anna", password: "sunshine" };
const REDIRECT = { language: "en-US", redirectUri: "myapp://done" };

async function atSignIn(house: RealHouse): Promise<LinkVisit> {
  const body = { vendor: "EASEE", vendorType: "charger", scopes: SCOPES, ...REDIRECT };
  const { linkUrl } = await send(house, "POST", "/users/ann/link", body);
  const person = await LinkVisit.open(house, linkUrl);
  await person.press();
  await person.press({ scope: SCOPES });
  return person;
}

describe("a made-up account", () => {
  test("is linked with its password, and belongs to the user then", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/local/simulated/charger", ACCOUNT);
    const person = await atSignIn(house);
    expect((await person.press({ ...SIGN_IN, password: "rain" })).fault).toMatch(/not accepted/);
    expect((await person.press(SIGN_IN)).html).toContain("Garage");
    await person.press({ device: made.id });
    await house.pass(10_000);
    const [charger] = (await send(house, "GET", "/users/ann/chargers")).data;
    expect(charger).toMatchObject({ vendor: "EASEE", isReachable: true, scopes: SCOPES });
    expect(await send(house, "GET", `/local/simulated/charger/${made.id}`)).toMatchObject({ assetId: charger.id });
  });

  test("with a second factor asks for its code", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/local/simulated/charger", { ...ACCOUNT, secondFactor: "4711" });
    expect(JSON.stringify(made)).not.toContain("4711");
    const person = await atSignIn(house);
    expect((await person.press(SIGN_IN)).title).toBe("Enter the code");
    expect((await person.press({ code: "0815" })).fault).toMatch(/code was not accepted/);
    expect((await person.press({ code: "4711" })).title).toBe("Choose your devices");
    expect((await person.press({ device: made.id })).title).toBe("All set");
  });

  test("without a name takes no second factor", async () => {
    await using house = await openSandbox();
    await send(house, "POST", "/local/simulated/charger", { secondFactor: "4711" }, 400);
  });

  test("whose credentials became invalid is linked again under the same id", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/local/simulated/charger", ACCOUNT);
    const person = await atSignIn(house);
    await person.press(SIGN_IN);
    await person.press({ device: made.id });
    await house.pass(10_000);
    const [{ id }] = (await send(house, "GET", "/users/ann/chargers")).data;
    await send(house, "PATCH", `/local/simulated/charger/${made.id}`, { faults: [{ kind: "invalid-credentials" }] });
    await house.pass(60_000);
    expect(await send(house, "GET", `/chargers/${id}`)).toMatchObject({
      isReachable: false,
      capabilities: { startCharging: { isCapable: false } },
    });

    const { linkUrl } = await send(house, "POST", `/assets/${id}/relink`, REDIRECT);
    const again = await LinkVisit.open(house, linkUrl);
    expect(again.page.title).toMatch(/^Sign in to Easee/);
    expect((await again.press(SIGN_IN)).title).toBe("Access restored");
    await house.pass(60_000);
    expect(await send(house, "GET", `/chargers/${id}`)).toMatchObject({
      id,
      isReachable: true,
      capabilities: { startCharging: { isCapable: true, interventionIds: [] } },
    });
    expect((await send(house, "GET", "/users/ann")).linkedVendors).toMatchObject([{ isValid: true }]);
  });
});
