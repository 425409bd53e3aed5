/** What the owner of a device decides on the link page, from the form to the device's options. */
import { describe, expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { makeHome } from "../../engine/home.ts";
import { listen } from "../../twins/http-devices/http-twin.ts";
import { SonnenTwin } from "../../twins/http-devices/sonnen-twin.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const HOST = "192.168.1.44";
const SCOPES = ["battery:control:operation_mode", "battery:read:data"];

async function openHouse(): Promise<AsyncDisposable & { readonly house: RealHouse }> {
  const home = makeHome(1, { adapters: [httpJsonAdapter], linking: { maxConnections: 10 } });
  listen(home.world.web, HOST, 80, new SonnenTwin(2, "t"));
  const house = await openRealHouse({ home });
  return { house, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

/** As far as the page on which the owner decides. */
async function atSetup(house: RealHouse, language = "en-US"): Promise<LinkVisit> {
  const body = { vendorType: "battery", scopes: SCOPES, language, redirectUri: "myapp://done" };
  const answer = await house.ask({ method: "POST", url: "/users/anna/link", payload: body });
  const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
  await person.press();
  await person.press({ brand: "sonnen" });
  await person.press({ offer: "http-json/sonnen-v2" });
  await person.press({ scope: SCOPES });
  await person.press({ host: HOST, port: "80", token: "t" }, "manual");
  if (person.page.html.includes('name="host"')) await person.press({ host: HOST, port: "80", token: "t" });
  const device = /name="device" value="([^"]*)"/.exec(person.page.html)?.[1] ?? "";
  await person.press({ device });
  return person;
}

function optionsOf(house: RealHouse): unknown {
  return house.run.store.all("device").map(({ options }) => options);
}

describe("the page of what an owner decides", () => {
  test.each([
    ["en-US", "Settings of ", "Power of a forced charge", "How the battery works", "One source only", "source: evcc"],
    ["de-DE", "Einstellungen: ", "Leistung beim erzwungenen Laden", "Arbeitsweise", "Nur eine Quelle", "Quelle: evcc"],
  ])("says in %s what it is about", async (language, title, setting, control, confidence, source) => {
    await using battery = await openHouse();
    const { page } = await atSetup(battery.house, language);
    expect(page.title).toContain(title);
    for (const words of [setting, control, confidence, source]) expect(page.html).toContain(words);
  });

  test("has a label for each field, a unit, limits that describe it, and no tick", async () => {
    await using battery = await openHouse();
    const { html } = (await atSetup(battery.house)).page;
    const inputs = [...html.matchAll(/<input (?!type="hidden")[^>]*>/g)].map(([input]) => input);
    expect(inputs).toHaveLength(4);
    for (const input of inputs) {
      const id = /id="([^"]*)"/.exec(input)?.[1] ?? "";
      const isBox = input.includes('type="checkbox"');
      expect(html).toMatch(isBox ? new RegExp(`<label class="check"><input[^>]*id="${id}"`) : `<label for="${id}"`);
      for (const describing of (/aria-describedby="([^"]*)"/.exec(input)?.[1] ?? "none").split(" ")) {
        expect(html).toContain(`id="${describing}"`);
      }
    }
    expect(inputs.filter((input) => /\schecked/.test(input))).toEqual([]);
    expect(html).toContain("From 100 to 50000 W.");
  });

  test("links what was ticked and written as the configuration has it", async () => {
    await using battery = await openHouse();
    const person = await atSetup(battery.house);
    await person.press({ "settings.maxChargeW": "2500,5", confirmUnverified: "battery.mode" });
    expect(person.page.title).toBe("All set");
    expect(optionsOf(battery.house)).toMatchObject([
      { host: HOST, settings: { maxChargeW: 2_500.5 }, confirmUnverified: ["battery.mode"] },
    ]);
    expect(JSON.stringify(optionsOf(battery.house))).not.toContain("confirmNoFailsafe");
  });

  test("turns nothing on where nothing was ticked", async () => {
    await using battery = await openHouse();
    const person = await atSetup(battery.house);
    expect((await person.press()).title).toBe("All set");
    const [options] = battery.house.run.store.all("device").map((device) => device.options);
    expect(Object.keys(options ?? {})).not.toContain("confirmUnverified");
    expect(Object.keys(options ?? {})).not.toContain("settings");
  });

  test("says at each field what is wrong with it, and keeps what was written", async () => {
    await using battery = await openHouse();
    const person = await atSetup(battery.house);
    const wrong = { "settings.maxChargeW": "99", "settings.maxDischargeW": "2.000", confirmNoFailsafe: "yes" };
    const { html, fault } = await person.press(wrong);
    expect(fault).toBe("Something below is not right yet.");
    expect(html).toMatch(/id="field-settings\.maxChargeW-error">At least 100 W\.</);
    expect(html).toMatch(/id="field-settings\.maxDischargeW-error">Write a number/);
    expect(html).toMatch(/name="settings\.maxChargeW" value="99"[^>]*aria-invalid="true"/);
    expect(html).toMatch(/name="confirmNoFailsafe" value="yes" checked/);
    expect(html).not.toMatch(/name="confirmUnverified" value="battery\.mode" checked/);
    expect(optionsOf(battery.house)).toEqual([]);
    await person.press({ "settings.maxChargeW": "100", "settings.maxDischargeW": "" });
    expect(person.page.title).toBe("All set");
  });

  test("begins with what was decided before where the device is linked once more", async () => {
    await using battery = await openHouse();
    await (await atSetup(battery.house)).press({ "settings.maxChargeW": "3000", confirmUnverified: "battery.mode" });
    const { html } = (await atSetup(battery.house)).page;
    expect(html).toMatch(/name="settings\.maxChargeW" value="3000"/);
    expect(html).toMatch(/name="confirmUnverified" value="battery\.mode" checked/);
    expect(html).not.toMatch(/name="confirmNoFailsafe" value="yes" checked/);
  });

  test("leads back to the devices", async () => {
    await using battery = await openHouse();
    const person = await atSetup(battery.house);
    expect((await person.press({}, "back")).title).toBe("Choose your devices");
    expect(optionsOf(battery.house)).toEqual([]);
  });
});
