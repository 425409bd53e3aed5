/** What the link page does with adapters whose `setup` answers in unusual ways. */
import { describe, expect, test } from "vitest";
import type { LinkField } from "../../../src/domain/linking/link-form.ts";
import type { Adapter } from "../../../src/sdk/driver.ts";
import type { LinkSetup, RunningLinking } from "../../../src/sdk/linking.ts";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { makeFakeVendors } from "../../engine/linking/fake-vendors.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const SCOPES = ["charger:control:charging", "charger:read:data"];
const CREDENTIALS = { username: "anna@example.com", password: "sunshine" };
const PHASES: LinkField = { name: "phases", kind: "number", unit: "", min: 1, max: 3, initial: "3" };

/** Returns the adapter with parts of its linking replaced. */
function changed(adapter: Adapter, change: Partial<RunningLinking>): Adapter {
  return {
    ...adapter,
    start: (context) => {
      const running = adapter.start(context);
      const { linking } = running;
      if (linking === undefined) return running;
      return { ...running, linking: { take: (step, signal) => linking.take(step, signal), ...change } };
    },
  };
}

async function openLinking(change: Partial<RunningLinking>, declare: (adapter: Adapter) => Adapter = (own) => own) {
  const vendors = makeFakeVendors();
  const home = makeHome(1, { adapters: [declare(changed(vendors.adapter, change))], linking: { maxConnections: 10 } });
  for (const [key, name] of [
    ["c-1", "Garage"],
    ["c-2", "Carport"],
  ] as const) {
    vendors.account[key] = { device: home.add(key, chargerOptions({ vendors: ["EASEE", "SIMULATED"] })), name };
    delete home.devices[key];
  }
  return await openRealHouse({ home });
}

async function atDevices(house: RealHouse): Promise<LinkVisit> {
  const body = {
    vendor: "EASEE",
    vendorType: "charger",
    scopes: SCOPES,
    language: "en-US",
    redirectUri: "myapp://done",
  };
  const answer = await house.ask({ method: "POST", url: "/users/anna/link", payload: body });
  const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
  await person.press();
  await person.press({ scope: SCOPES });
  await person.press(CREDENTIALS);
  return person;
}

/** Asks for the phases of each device, and keeps the answers as options. */
function phases(change: Partial<LinkSetup> = {}): Partial<RunningLinking> {
  const setup: LinkSetup = {
    fields: async () => [PHASES],
    apply: async (device, { phases: count }) => {
      return { kind: "ready", device: { ...device, key: "another", options: { ...device.options, count } } };
    },
    ...change,
  };
  return { setup };
}

const countsOf = (house: RealHouse) =>
  house.run.store.all("device").map(({ name, options, link }) => [name, options["count"], link?.key]);

describe("what an adapter asks about devices", () => {
  test("is asked about each that was chosen, and they are linked together under their own keys", async () => {
    await using house = await openLinking(phases());
    const person = await atDevices(house);
    expect((await person.press({ device: ["c-1", "c-2"] })).title).toBe("Settings of Garage");
    expect((await person.press({ phases: "1" })).title).toBe("Settings of Carport");
    expect(countsOf(house)).toEqual([]);
    expect((await person.press({ phases: "3" })).title).toBe("All set");
    expect(countsOf(house).toSorted()).toEqual([
      ["Carport", "3", "c-2"],
      ["Garage", "1", "c-1"],
    ]);
  });

  test("is refused with the reason, on the same page", async () => {
    await using house = await openLinking(phases({ apply: async () => ({ kind: "refused", why: "wrong-device" }) }));
    const person = await atDevices(house);
    await person.press({ device: "c-1" });
    const { title, fault, html } = await person.press({ phases: "2" });
    expect([title, fault]).toEqual([
      "Settings of Garage",
      "Something answers there, but it is not a device of this kind. Check the address, or go back and choose another kind.",
    ]);
    expect(html).toMatch(/name="phases" value="2"/);
    expect(countsOf(house)).toEqual([]);
  });

  test.each([
    ["fails", async () => Promise.reject(new Error("nonsense"))],
    ["is called as a field of the page's own", async () => [{ ...PHASES, name: "device" }]],
  ])("leads back to the devices when it %s, and links nothing", async (_what, fields) => {
    await using house = await openLinking(phases({ fields }));
    const person = await atDevices(house);
    const { title, fault } = await person.press({ device: "c-1" });
    expect(title).toBe("Choose your devices");
    expect(fault).toContain("does not answer at the moment");
    expect(countsOf(house)).toEqual([]);
  });

  test("is not written by forms that name other fields", async () => {
    await using house = await openLinking(phases());
    const person = await atDevices(house);
    await person.press({ device: "c-1" });
    await person.press({ phases: "2", password: "other", count: "9" });
    expect(house.run.store.all("device").map(({ options }) => options)).toMatchObject([
      { count: "2", password: "sunshine" },
    ]);
  });
});

describe("a third party's form", () => {
  test("of a second step is not shown when it takes a name of the page's", async () => {
    const take: RunningLinking["take"] = async () => ({
      kind: "ask",
      fields: [{ name: "action", kind: "text" }],
      memo: null,
    });
    await using house = await openLinking({ take });
    const { page } = await atDevices(house);
    expect(page.fault).toContain("does not answer at the moment");
  });

  test("that begins with such a name takes its vendor off the page, and no other", async () => {
    const bad = (adapter: Adapter): Adapter => ({
      ...adapter,
      linking: (adapter.linking ?? []).map((vendor) =>
        vendor.id === "easee" ? { ...vendor, fields: [{ name: "key", kind: "api-key" }] } : vendor,
      ),
    });
    await using house = await openLinking({}, bad);
    const link = async (vendor: string) => {
      const body = { vendor, vendorType: "charger", scopes: SCOPES, language: "en-US", redirectUri: "myapp://done" };
      return (await house.ask({ method: "POST", url: "/users/anna/link", payload: body })).statusCode;
    };
    expect([await link("EASEE"), await link("ZAPTEC")]).toEqual([400, 200]);
  });
});
