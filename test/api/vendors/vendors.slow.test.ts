import { describe, expect, test } from "vitest";
import { INTERVENTION_LANGUAGES } from "../../../src/domain/language.ts";
import { batteryOptions, chargerOptions, makeHome } from "../../engine/home.ts";
import { makeFakeVendors } from "../../engine/linking/fake-vendors.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const MINUTE_MS = 60_000;

interface Row {
  readonly vendor: string;
  readonly status: string;
}

async function health(house: RealHouse, category: string): Promise<readonly Row[]> {
  return (await house.ask({ url: `/health/${category}` })).json<Row[]>();
}

async function statusOf(house: RealHouse, vendor: string): Promise<string | undefined> {
  return (await health(house, "chargers")).find((row) => row.vendor === vendor)?.status;
}

describe("the health of vendors", () => {
  test("lists what can be linked and what is here, with the names that people know", async () => {
    const home = makeHome(1, { adapters: [makeFakeVendors().adapter] });
    home.add("battery", batteryOptions());
    await using house = await openRealHouse({ home });
    await house.pass(5_000);
    expect(await health(house, "batteries")).toEqual([
      {
        vendor: "SOLAREDGE",
        displayName: "SolarEdge",
        portalName: "SolarEdge",
        status: "READY",
        linkingStatus: "READY",
      },
    ]);
    expect((await health(house, "chargers")).map(({ vendor }) => vendor)).toEqual(["EASEE", "KEBA", "TESLA", "ZAPTEC"]);
    expect((await health(house, "vehicles")).map(({ vendor }) => vendor)).toEqual(["TESLA"]);
    expect(await health(house, "hvacs")).toEqual([]);
  });

  test("is served under both names of the inverters", async () => {
    await using house = await openRealHouse();
    expect(await health(house, "inverter")).toEqual(await health(house, "inverters"));
  });

  test("needs a token", async () => {
    await using house = await openRealHouse();
    for (const url of ["/health/chargers", "/integrations", "/interventions"]) {
      expect((await house.ask({ url, headers: { authorization: "" } })).statusCode).toBe(401);
    }
  });

  test("is what the vendor's devices do: half of them silent is elevated, all of them an outage", async () => {
    const home = makeHome();
    const one = home.add("one", chargerOptions());
    const other = home.add("other", chargerOptions());
    await using house = await openRealHouse({ home });
    await house.pass(3 * MINUTE_MS);
    expect(await statusOf(house, "KEBA")).toBe("READY");
    one.isUp = false;
    await house.pass(5 * MINUTE_MS);
    expect(await statusOf(house, "KEBA")).toBe("READY");
    await house.pass(6 * MINUTE_MS);
    expect(await statusOf(house, "KEBA")).toBe("ELEVATED_ERROR_RATE");
    other.isUp = false;
    await house.pass(11 * MINUTE_MS);
    expect(await statusOf(house, "KEBA")).toBe("OUTAGE");
    one.isUp = true;
    other.isUp = true;
    await house.pass(10 * MINUTE_MS);
    expect(await statusOf(house, "KEBA")).toBe("READY");
  });
});

describe("integrations", () => {
  test("are one row a vendor, with its kinds and their scopes", async () => {
    await using house = await openRealHouse({ home: makeHome(1, { adapters: [makeFakeVendors().adapter] }) });
    const rows = (await house.ask({ url: "/integrations" })).json<Row[]>();
    expect(rows.find(({ vendor }) => vendor === "TESLA")).toEqual({
      vendor: "TESLA",
      displayName: "Tesla",
      portalName: "Tesla app",
      status: "READY",
      linkingStatus: "READY",
      assetTypes: ["charger", "vehicle"],
      scopes: [
        "charger:control:charging",
        "charger:read:data",
        "vehicle:control:charging",
        "vehicle:read:data",
        "vehicle:read:location",
      ],
    });
  });

  test.each([
    ["vehicle", ["TESLA"]],
    ["vehicle,charger", ["EASEE", "KEBA", "TESLA", "ZAPTEC"]],
    ["meter", []],
  ])("of %s are %j", async (assetTypes, vendors) => {
    await using house = await openRealHouse({ home: makeHome(1, { adapters: [makeFakeVendors().adapter] }) });
    const rows = (await house.ask({ url: `/integrations?assetTypes=${assetTypes}` })).json<Row[]>();
    expect(rows.map(({ vendor }) => vendor)).toEqual(vendors);
  });

  test("of a kind that there is not are refused", async () => {
    await using house = await openRealHouse();
    const answer = await house.ask({ url: "/integrations?assetTypes=charger,toaster" });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ issues: [{ path: ["assetTypes"], in: "query" }] });
  });
});

describe("interventions over the API", () => {
  interface Shown {
    readonly id: string;
    readonly vendor: string | null;
    readonly resolution: { readonly title: string };
  }

  test("are a plain list, filtered by vendor and kind, in the language that was asked for", async () => {
    await using house = await openRealHouse();
    const url = "/interventions?vendor=KEBA&vendorType=charger&language=de-DE";
    const list = (await house.ask({ url })).json<Shown[]>();
    expect(list.map(({ resolution }) => resolution.title)).toEqual([
      "KEBA-Konto erneut verknüpfen",
      "KEBA-Gerät wieder erreichbar machen",
      "Steuerung des KEBA-Geräts erlauben",
      "Steuerung des KEBA-Geräts bestätigen lassen",
      "Installation des KEBA-Geräts prüfen",
      "Prüfen, wer Ihr KEBA-Gerät noch steuert",
      "Modbus TCP am KEBA-Gerät einschalten",
    ]);
    const one = await house.ask({ url: `/interventions/${list[0]?.id}?language=xx-XX` });
    expect(one.json()).toMatchObject({ resolution: { title: "Link your KEBA account again", action: "Link" } });
  });

  test("answer in the words of each language of the interface", async () => {
    await using house = await openRealHouse();
    const titles: Record<string, string | undefined> = {};
    for (const language of INTERVENTION_LANGUAGES) {
      const url = `/interventions?vendor=KEBA&vendorType=charger&language=${language}`;
      titles[language] = (await house.ask({ url })).json<Shown[]>()[0]?.resolution.title;
    }
    expect(titles).toEqual({
      "en-US": "Link your KEBA account again",
      "en-GB": "Link your KEBA account again",
      "de-DE": "KEBA-Konto erneut verknüpfen",
      "fr-FR": "Associez de nouveau votre compte KEBA",
      "es-ES": "Vuelva a vincular su cuenta de KEBA",
      "ja-JP": "KEBA アカウントを再連携してください",
      "pt-PT": "Volte a associar a sua conta KEBA",
      "lv-LV": "Piesaistiet savu KEBA kontu vēlreiz",
      "lt-LT": "Iš naujo susiekite „KEBA“ paskyrą",
      "nl-NL": "Koppel uw KEBA-account opnieuw",
      "nl-BE": "Koppel uw KEBA-account opnieuw",
      "nb-NO": "Koble til KEBA-kontoen din på nytt",
      "pl-PL": "Połącz ponownie swoje konto KEBA",
      "sv-SE": "Länka ditt KEBA-konto igen",
      "da-DK": "Tilknyt din KEBA-konto igen",
      "fi-FI": "Yhdistä KEBA-tilisi uudelleen",
      "ro-RO": "Asociați din nou contul KEBA",
    });
  });

  test("that do not exist are 404 with an empty body", async () => {
    await using house = await openRealHouse();
    for (const id of ["6dc5b1a4-0f65-4f3c-9d3a-0c8a1f6d9b11", "nonsense"]) {
      const answer = await house.ask({ url: `/interventions/${id}` });
      expect([answer.statusCode, answer.body]).toEqual([404, ""]);
    }
  });

  /** The titles of the remedies that a charger's capability names. */
  async function remedies(house: RealHouse, capability: string): Promise<readonly string[]> {
    const { data } = (await house.ask({ url: "/chargers" })).json<{
      data: { capabilities: Record<string, { interventionIds: string[] }> }[];
    }>();
    const ids = data[0]?.capabilities[capability]?.interventionIds ?? [];
    const answers = [];
    for (const id of ids)
      answers.push((await house.ask({ url: `/interventions/${id}` })).json<Shown>().resolution.title);
    return answers;
  }

  test("are named by a device that is silent for long, until it answers", async () => {
    const home = makeHome();
    const charger = home.add("charger", chargerOptions());
    await using house = await openRealHouse({ home });
    await house.pass(MINUTE_MS);
    charger.isUp = false;
    await house.pass(5 * MINUTE_MS);
    expect(await remedies(house, "chargeState")).toEqual([]);
    await house.pass(7 * MINUTE_MS);
    expect(await remedies(house, "chargeState")).toEqual(["Bring your KEBA device back online"]);
    charger.isUp = true;
    await house.pass(6 * MINUTE_MS);
    expect(await remedies(house, "chargeState")).toEqual([]);
  });

  test("are named by a device that may not be controlled", async () => {
    const home = makeHome();
    home.add("charger", chargerOptions());
    const devices = [{ id: "charger", adapter: "fake", scopes: ["charger:read:data" as const] }];
    await using house = await openRealHouse({ home: { ...home, start: () => home.start({ devices }) } });
    await house.pass(MINUTE_MS);
    expect(await remedies(house, "startCharging")).toEqual(["Allow control of your KEBA device"]);
    expect(await remedies(house, "chargeState")).toEqual([]);
  });

  test("are named where a control waits for the installer", async () => {
    const home = makeHome();
    home.add("charger", chargerOptions({ controls: [], unconfirmed: ["charger.enabled"] }));
    await using house = await openRealHouse({ home });
    await house.pass(MINUTE_MS);
    expect(await remedies(house, "stopCharging")).toEqual(["Have control of your KEBA device confirmed"]);
    expect(await remedies(house, "setMaxCurrent")).toEqual([]);
  });
});
