/** Made-up accounts on the link page: signed in to, refused, and signed in to again. */
import { describe, expect, test } from "vitest";
import { LinkVisit } from "../support/link-visit.ts";
import type { RealHouse } from "../support/real-house.ts";
import { openSandbox, send } from "../support/sandbox-house.ts";

const SECOND = 1_000;
const SCOPES = ["vehicle:control:charging", "vehicle:read:data", "vehicle:read:location"];
const CREDENTIALS = { username: "ann@example.com", password: "sunshine" };
const VEHICLE = { vendor: "VOLVO", ...CREDENTIALS, name: "Car", model: "EX30", year: 2024 };
const PAGE = { language: "en-US", redirectUri: "myapp://done" };

async function atSignIn(house: RealHouse): Promise<LinkVisit> {
  const body = { ...PAGE, scopes: SCOPES, vendor: "VOLVO", vendorType: "vehicle" };
  const person = await LinkVisit.open(house, (await send(house, "POST", "/users/ann/link", body)).linkUrl);
  await person.press();
  await person.press({ scope: SCOPES });
  return person;
}

async function vehicles(house: RealHouse) {
  return (await send(house, "GET", "/users/ann/vehicles")).data;
}

describe("a made-up account", () => {
  test("links those of its vehicles that were chosen", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/simulated/vehicles", VEHICLE);
    await send(house, "POST", "/simulated/vehicles", { ...VEHICLE, name: "Other" });
    await send(house, "POST", "/simulated/vehicles", { ...VEHICLE, username: "ben@example.com" });
    const person = await atSignIn(house);
    expect((await person.press({ ...CREDENTIALS, password: "wrong" })).fault).not.toBeNull();
    await person.press(CREDENTIALS);
    expect(person.page.title).toBe("Choose your devices");
    expect((await person.press({ device: made.id })).title).toBe("All set");
    await house.pass(5 * SECOND);
    expect(await vehicles(house)).toMatchObject([
      { vendor: "VOLVO", isReachable: true, scopes: SCOPES, information: { displayName: "Car", year: 2024 } },
    ]);
    expect(await send(house, "GET", `/simulated/vehicles/${made.id}`)).toMatchObject({ userId: "ann" });
  });

  test("that was given another name and password is signed in to with those only", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/simulated/vehicles", VEHICLE);
    await send(house, "PATCH", `/simulated/vehicles/${made.id}`, { username: "eve@example.com", password: "rain" });
    const person = await atSignIn(house);
    expect((await person.press(CREDENTIALS)).fault).not.toBeNull();
    expect((await person.press({ username: "eve@example.com", password: "sunshine" })).fault).not.toBeNull();
    await person.press({ username: "eve@example.com", password: "rain" });
    expect(person.page.title).toBe("Choose your devices");
    const alone = await send(house, "POST", "/local/simulated/vehicle", {});
    await send(house, "PATCH", `/local/simulated/vehicle/${alone.id}`, { password: "rain" }, 400);
  });

  test("whose password was changed is linked again, and the same asset works again", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/simulated/vehicles", VEHICLE);
    const first = await atSignIn(house);
    await first.press(CREDENTIALS);
    await first.press({ device: made.id });
    await house.pass(10 * SECOND);
    const [{ id }] = await vehicles(house);
    const faults = [{ kind: "invalid-credentials" }];
    await send(house, "POST", `/assets/${id}/relink`, PAGE, 400);
    await send(house, "PATCH", `/local/simulated/vehicle/${made.id}`, { faults });
    await house.pass(10 * SECOND);
    expect((await vehicles(house))[0]).toMatchObject({ id, isReachable: false });
    const { linkUrl } = await send(house, "POST", `/assets/${id}/relink`, PAGE);
    const person = await LinkVisit.open(house, linkUrl);
    expect((await person.press(CREDENTIALS)).title).toBe("Access restored");
    await house.pass(10 * SECOND);
    expect((await vehicles(house))[0]).toMatchObject({
      id,
      isReachable: true,
      capabilities: { startCharging: { isCapable: true, interventionIds: [] } },
    });
    expect((await send(house, "GET", "/users/ann")).linkedVendors).toMatchObject([{ isValid: true }]);
  });

  test("of a user whose authorization was deleted brings the same asset back", async () => {
    await using house = await openSandbox();
    const made = await send(house, "POST", "/simulated/vehicles", VEHICLE);
    const first = await atSignIn(house);
    await first.press(CREDENTIALS);
    await first.press({ device: made.id });
    await house.pass(10 * SECOND);
    const [{ id }] = await vehicles(house);
    await send(house, "DELETE", "/users/ann/authorization", undefined, 204);
    await house.pass(10 * SECOND);
    expect((await vehicles(house))[0]).toMatchObject({ id, isReachable: false });
    const again = await atSignIn(house);
    await again.press(CREDENTIALS);
    await again.press({ device: made.id });
    await house.pass(10 * SECOND);
    expect((await vehicles(house)).map((vehicle: { id: string }) => vehicle.id)).toEqual([id]);
    expect((await vehicles(house))[0].isReachable).toBe(true);
  });
});
