import { describe, expect, test } from "vitest";
import { FORECAST_SOURCES } from "../../adapters/forecasts/sources.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { mistakeLine } from "../../src/config/mistake.ts";
import { RemoteLayer } from "../../src/config/remote-layer.ts";
import { FAKE_ADAPTERS } from "./fake-adapters.ts";

const DEVICES = "devices: [{ id: wallbox, adapter: modbus, host: 10.0.0.5, unit: 1, profile: keba-p30 }]\n";

function mistakes(text: string): readonly string[] {
  const result = loadConfig({ text: `${DEVICES}${text}`, environment: {}, adapters: FAKE_ADAPTERS });
  return result.ok ? [] : result.mistakes.map((mistake) => mistakeLine("g.yaml", mistake));
}

describe("the connection in the configuration", () => {
  test.each([
    [
      "fuseA: 0",
      "g.yaml:2:30: site.connection.fuseA: wrong value; expected a number from 1 to 2000 (Main fuse, A per phase), found 0",
    ],
    ["phases: 2", "g.yaml:2:31: site.connection.phases: wrong value; expected one of 1, 3"],
    ["fuse: 35", "site.connection.fuse: unknown key; expected one of phases, fuseA"],
    ["circuits: [{ id: a, parent: a }]", 'site.connection.circuits[0].parent: "a" cannot be behind itself'],
    ["circuits: [{ id: a, members: [wallbx] }]", 'site.connection.circuits[0].members[0]: there is no device "wallbx"'],
    ["phases: 1, phasesOf: { wallbox: [L2] }", "site.connection.phasesOf.wallbox: the site has no L2"],
    ["feedInPreset: 60%", "site.connection.feedInPreset: needs the peak power of the panels"],
  ])("%s is a mistake with its place, what is wrong and what to do", (setting, text) => {
    const found = mistakes(`site: { connection: { ${setting} } }`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(text);
  });

  test("what fits is right", () => {
    const connection =
      "{ fuseA: 35, panelsKw: 9.8, feedInPreset: 60%, circuits: [{ id: garage, members: [wallbox] }] }";
    expect(mistakes(`site: { connection: ${connection} }`)).toEqual([]);
  });
});

describe("the limits of the grid operator in the configuration", () => {
  test.each([
    [
      "controllable: [{ device: none, kind: charger, kw: 11 }]",
      'gridLimits.controllable[0].device: there is no device "none"',
    ],
    ["contacts: { inputs: { W4: { topic: box/w4 } } }", "gridLimits.contacts: no MQTT broker: add the section mqtt"],
    ["contacts: { inputs: {} }", "gridLimits.contacts.inputs: no input; name at least one of W3, S2, S1, W4"],
    ["contacts: { debounceMs: 20, inputs: { W4: { topic: a } } }", "gridLimits.contacts.debounceMs: wrong value"],
    ["failsafe: { hours: 1 }", "gridLimits.failsafe.hours: wrong value; expected a number from 2 to 24"],
    [
      'schedule: [{ direction: import, kw: 5, from: "17:00", to: "17:00" }]',
      "gridLimits.schedule[0].to: 17:00 is not after 17:00",
    ],
  ])("%s is a mistake with its place", (setting, text) => {
    expect(mistakes(`gridLimits: { ${setting} }`).join("\n")).toContain(text);
  });

  test("a contact of a share needs the panels' peak power", () => {
    const contacts = "gridLimits: { contacts: { inputs: { S1: { topic: box/s1 } } } }\nmqtt: {}\n";
    expect(mistakes(contacts).join()).toContain("gridLimits.contacts.inputs.S1: is a share of the panels' peak power");
    expect(mistakes(`${contacts}site: { connection: { panelsKw: 9.8 } }`)).toEqual([]);
  });

  test("a contact at a device's input needs that device, and no broker", () => {
    const contacts = (device: string, more = "") =>
      mistakes(`gridLimits: { contacts: { inputs: { W4: { device: ${device}, point: contact.1 } }${more} } }`);
    expect(contacts("wallbox")).toEqual([]);
    const missing = 'gridLimits.contacts.inputs.W4.device: there is no device "box"; use the id of a device';
    expect(contacts("box")).toEqual([expect.stringContaining(missing)]);
    expect(contacts("wallbox", ", alive: box/alive").join()).toContain("no MQTT broker");
  });
});

describe("a connection that is set from afar", () => {
  const own = "site: { connection: { fuseA: 35, circuits: [{ id: garage, fuseA: 20 }] } }\n";
  const wrong = (connection: object, file = own) => {
    const input = { text: `${DEVICES}${file}`, environment: {}, adapters: FAKE_ADAPTERS };
    const loaded = loadConfig(input);
    if (!loaded.ok) throw new Error("the file is wrong");
    const result = new RemoteLayer(input, loaded.config).with({ site: { connection } });
    return result.ok ? [] : result.mistakes.map(({ path }) => path);
  };

  test("may lower and add limits", () => {
    expect(wrong({ fuseA: 25, importKw: 10, circuits: [{ id: "garage", fuseA: 16 }] })).toEqual([]);
  });

  test("raises and removes no fuse that the file sets", () => {
    expect(wrong({ fuseA: 63, circuits: [{ id: "garage", fuseA: 32 }] })).toEqual([
      "site.connection.fuseA",
      "site.connection.circuits[0].fuseA",
    ]);
    expect(wrong({})).toEqual(["site.connection.fuseA", "site.connection.circuits.fuseA"]);
  });

  test("takes no device out of a circuit that the file limits, also not with the circuit between them", () => {
    const file =
      "site: { connection: { circuits: [{ id: house, fuseA: 20 }, { id: garage, parent: house, members: [wallbox] }] } }\n";
    const [house, garage] = [
      { id: "house", fuseA: 20 },
      { id: "garage", parent: "house", members: ["wallbox"] },
    ] as const;
    expect(wrong({ circuits: [house, garage] }, file)).toEqual([]);
    expect(wrong({ circuits: [{ ...house, members: ["wallbox"] }] }, file)).toEqual([]);
    const path = "site.connection.circuits[0].members";
    expect(wrong({ circuits: [house, { ...garage, members: [] }] }, file)).toEqual([path]);
    expect(wrong({ circuits: [house, { id: "garage", members: ["wallbox"] }] }, file)).toEqual([path]);
  });

  test.each([
    ["the panels", { site: { connection: { feedInPreset: "60%", panelsKw: 100 } } }],
    ["the forecast's planes", { forecast: forecastOf(100) }],
  ])("raises no share of the feed-in by %s", (_what, sections) => {
    const text = `${DEVICES}site: { connection: { feedInPreset: 60% } }\nforecast: ${JSON.stringify(forecastOf(10))}\n`;
    const input = { text, environment: {}, adapters: FAKE_ADAPTERS, forecastSources: FORECAST_SOURCES };
    const loaded = loadConfig(input);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
    const layer = new RemoteLayer(input, loaded.config);
    const result = layer.with(sections);
    expect(result.ok ? [] : result.mistakes.map(({ path }) => path)).toEqual(["site.connection.panelsKw"]);
    expect(layer.with({ forecast: forecastOf(9) }).ok).toBe(true);
  });
});

function forecastOf(peakKw: number) {
  const place = { latitude: 52.5, longitude: 13.4 };
  return { source: "open-meteo", place, planes: [{ tilt: 30, azimuth: 180, peakKw }] };
}
