import { describe, expect, test } from "vitest";
import type { RealHouse } from "../support/real-house.ts";
import { atSignIn, CREDENTIALS, openLinking, SCOPES, visit } from "./linking-setup.ts";

async function chargers(house: RealHouse): Promise<readonly Record<string, unknown>[]> {
  return (await house.ask({ url: "/users/anna/chargers" })).json<{ data: Record<string, unknown>[] }>().data;
}

describe("linking on the page", () => {
  test("goes from the introduction to a linked device", async () => {
    await using linking = await openLinking();
    const { house } = linking;
    const person = await visit(house);
    expect(person.page.title).toBe("Link your charger");
    expect((await person.press()).title).toBe("Choose the brand");
    expect((await person.press({ brand: "Easee" })).title).toBe("test asks for access");
    expect((await person.press({ scope: SCOPES })).title).toBe("Sign in to Easee app");
    expect((await person.press(CREDENTIALS)).title).toBe("Choose your devices");
    expect((await person.press({ device: "c-1" })).title).toBe("All set");
    expect(person.page.links.at(-1)).toBe("myapp://done?state=7");
    await house.pass(5_000);
    expect(await chargers(house)).toMatchObject([
      { userId: "anna", vendor: "EASEE", isReachable: true, scopes: SCOPES },
    ]);
    const { linkedVendors } = (await house.ask({ url: "/users/anna" })).json<{ linkedVendors: unknown[] }>();
    expect(linkedVendors).toEqual([{ vendor: "EASEE", vendorType: "charger", isValid: true }]);
  });

  test("tells of a linked device as discovered, then as updated", async () => {
    await using linking = await openLinking();
    const { house } = linking;
    const person = await atSignIn(house);
    await person.press(CREDENTIALS);
    await person.press({ device: "c-1" });
    await house.pass(5_000);
    const entries = await house.home.world.clock.resolve(house.run.store.journalAfter(null, 100), 1_000);
    const events = entries.map(({ event }) => event).filter((event) => event.startsWith("user:charger:"));
    expect(events.slice(0, 2)).toEqual(["user:charger:discovered", "user:charger:updated"]);
  });

  test("grants what was left ticked, and reading always", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house, { vendor: "EASEE" });
    await person.press();
    await person.press({ scope: [] });
    await person.press(CREDENTIALS);
    await person.press({ device: "c-1" });
    await linking.house.pass(5_000);
    expect(await chargers(linking.house)).toMatchObject([{ scopes: ["charger:read:data"] }]);
  });

  test("grants nothing that was not asked for", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house, { vendor: "EASEE", scopes: ["charger:read:data"] });
    await person.press();
    await person.press({ scope: SCOPES });
    await person.press(CREDENTIALS);
    await person.press({ device: "c-1" });
    await linking.house.pass(5_000);
    expect(await chargers(linking.house)).toMatchObject([{ scopes: ["charger:read:data"] }]);
  });

  test("links the devices that were ticked, of those that were found", async () => {
    await using linking = await openLinking();
    const person = await atSignIn(linking.house);
    await person.press(CREDENTIALS);
    expect((await person.press()).fault).toBe("Choose at least one device.");
    await person.press({ device: ["c-1", "c-2", "c-3"] });
    await linking.house.pass(5_000);
    expect(await chargers(linking.house)).toHaveLength(2);
  });

  test("keeps the ids of a device that is linked once more", async () => {
    await using linking = await openLinking();
    const linked = async (): Promise<unknown> => {
      const person = await atSignIn(linking.house);
      await person.press(CREDENTIALS);
      await person.press({ device: "c-1" });
      await linking.house.pass(5_000);
      return (await chargers(linking.house)).map(({ id }) => id);
    };
    const first = await linked();
    expect(await linked()).toEqual(first);
  });

  test("says in the list which devices are linked already", async () => {
    await using linking = await openLinking();
    const person = await atSignIn(linking.house);
    await person.press(CREDENTIALS);
    await person.press({ device: "c-1" });
    const again = await atSignIn(linking.house);
    expect((await again.press(CREDENTIALS)).html.match(/Linked already/g)).toHaveLength(1);
  });

  test("stops at the number of devices that the gateway allows", async () => {
    await using linking = await openLinking({ maxConnections: 1 });
    const person = await atSignIn(linking.house);
    await person.press(CREDENTIALS);
    const page = await person.press({ device: ["c-1", "c-2"] });
    expect(page.fault).toBe("This gateway has as many linked devices as it allows.");
    expect((await person.press({ device: "c-2" })).title).toBe("All set");
  });

  test("keeps no password in the session or in the page", async () => {
    await using linking = await openLinking();
    const person = await atSignIn(linking.house);
    const page = await person.press({ ...CREDENTIALS, password: "wrong-secret" });
    expect(page.html).toContain("anna@example.com");
    expect(page.html).not.toContain("wrong-secret");
    expect(JSON.stringify(linking.house.run.store.all("link"))).not.toContain("secret");
  });
});
