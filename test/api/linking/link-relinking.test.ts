import { describe, expect, test } from "vitest";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";
import { CREDENTIALS, type Linking, linkCharger, openLinking, SCOPES, visit } from "./linked-charger.ts";

describe("relinking", () => {
  const body = { language: "en-US", redirectUri: "myapp://done" };
  const relink = (house: RealHouse, id: string) =>
    house.ask({ method: "POST", url: `/assets/${id}/relink`, payload: body });

  /** The vendor takes the password no more. */
  async function lose({ house, vendors }: Linking): Promise<void> {
    vendors.password = "moonlight";
    const [device] = house.run.store.all("device");
    const losing = house.run.engine.services.authorizations.invalidate("anna", "EASEE", device?.id ?? "");
    await house.home.world.clock.resolve(losing, 5_000);
  }

  test("restores the access under the same id, beginning at the sign-in", async () => {
    await using linking = await openLinking();
    const { house } = linking;
    const { id } = await linkCharger(house);
    await lose(linking);
    const lost = (await house.ask({ url: `/chargers/${id}` })).json<{ capabilities: Record<string, object> }>();
    const [remedy = ""] = (lost.capabilities["startCharging"] as { interventionIds: string[] }).interventionIds;
    expect((await house.ask({ url: `/interventions/${remedy}` })).json()).toMatchObject({
      resolution: { action: "Link" },
    });

    const answer = await relink(house, id);
    expect(answer.statusCode).toBe(200);
    const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
    expect(person.page.title).toBe("Sign in to Easee app");
    expect((await person.press(CREDENTIALS)).fault).toMatch(/not accepted/);
    expect((await person.press({ ...CREDENTIALS, password: "moonlight" })).title).toBe("Access restored");
    await house.pass(5_000);
    expect((await house.ask({ url: `/chargers/${id}` })).json()).toMatchObject({
      id,
      isReachable: true,
      scopes: SCOPES,
      capabilities: { startCharging: { isCapable: true, interventionIds: [] } },
    });
    expect((await house.ask({ url: "/users/anna" })).json()).toMatchObject({ linkedVendors: [{ isValid: true }] });
  });

  test("is refused while the asset is linked", async () => {
    await using linking = await openLinking();
    const { id } = await linkCharger(linking.house);
    const answer = await relink(linking.house, id);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ detail: string }>().detail).toContain("already linked");
  });

  test("takes no other account's devices", async () => {
    await using linking = await openLinking();
    const { house } = linking;
    const { id } = await linkCharger(house);
    await lose(linking);
    linking.vendors.account["c-9"] = linking.vendors.account["c-1"] ?? {
      device: house.home.add("x", chargerOptions()),
      name: "",
    };
    delete linking.vendors.account["c-1"];
    const person = await LinkVisit.open(house, (await relink(house, id)).json<{ linkUrl: string }>().linkUrl);
    expect((await person.press({ ...CREDENTIALS, password: "moonlight" })).fault).toMatch(/other devices than before/);
    expect(house.run.store.all("device")).toHaveLength(1);
  });

  test("brings back what a user took the authorization from", async () => {
    await using linking = await openLinking();
    const { house } = linking;
    const { id } = await linkCharger(house);
    await house.ask({ method: "DELETE", url: "/users/anna/authorization" });
    const person = await LinkVisit.open(house, (await relink(house, id)).json<{ linkUrl: string }>().linkUrl);
    expect((await person.press(CREDENTIALS)).title).toBe("Access restored");
    await house.pass(5_000);
    expect((await house.ask({ url: `/chargers/${id}` })).json()).toMatchObject({ id, isReachable: true });
  });

  test("is the same when the user links again by itself", async () => {
    await using linking = await openLinking();
    const { house } = linking;
    const { id } = await linkCharger(house);
    await lose(linking);
    const person = await visit(house);
    await person.press();
    await person.press({ scope: SCOPES });
    await person.press({ ...CREDENTIALS, password: "moonlight" });
    await person.press({ device: "c-1" });
    await house.pass(5_000);
    expect((await house.ask({ url: `/chargers/${id}` })).json()).toMatchObject({ id, isReachable: true });
  });
});

describe("devices of the configuration", () => {
  test("come back under their user when they are linked again", async () => {
    const home = makeHome();
    home.add("charger", chargerOptions());
    await using house = await openRealHouse({ home });
    await house.pass(5_000);
    await house.ask({ method: "DELETE", url: "/users/home" });
    expect((await house.ask({ url: "/chargers" })).json()).toMatchObject({ data: [] });

    const body = {
      vendorType: "charger",
      scopes: ["charger:read:data"],
      language: "en-US",
      redirectUri: "myapp://done",
    };
    const answer = await house.ask({ method: "POST", url: "/users/home/link", payload: body });
    const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
    await person.press();
    const consent = await person.press({ brand: "Home" });
    expect(consent.html).toContain("Its settings say what is allowed.");
    expect(consent.html.match(/type="checkbox"[^>]* disabled/g)).toHaveLength(2);
    expect((await person.press()).title).toBe("Choose your devices");
    expect((await person.press({ device: "charger" })).title).toBe("All set");
    await house.pass(5_000);
    expect((await house.ask({ url: "/chargers" })).json()).toMatchObject({
      data: [{ userId: "home", isReachable: true, scopes: SCOPES }],
    });
  });

  test("are offered to nobody else", async () => {
    const home = makeHome();
    home.add("charger", chargerOptions());
    await using house = await openRealHouse({ home });
    await house.pass(5_000);
    await house.ask({ method: "DELETE", url: "/users/home" });
    const person = await visit(house, { vendor: undefined });
    expect((await person.press()).title).toBe("Nothing to link here");
  });
});
