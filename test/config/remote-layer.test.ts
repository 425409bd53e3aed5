import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import type { Environment } from "../../src/config/environment.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { RemoteLayer } from "../../src/config/remote-layer.ts";

const BATTERY = { id: "battery", adapter: "modbus", host: "10.0.0.4", profile: "deye-3p" };
const HOUSE = `
site: { name: House, timezone: Europe/Berlin }
http: { port: 8081 }
devices:
  - { ...$ }
`.replace(
  "{ ...$ }",
  JSON.stringify({ ...BATTERY, settings: { maxChargeA: 20 }, confirmUnverified: ["battery.mode"] }),
);
/** A house that lets its cloud service set all that can be. */
const FILE = `remote: { sections: [site, devices, pricing, forecast, discovery] }\n${HOUSE}`;
const LIMITED = { ...BATTERY, settings: { maxChargeA: 20 } };

function layer(text: string, environment: Environment = {}): RemoteLayer {
  const input = { text, environment, adapters: [modbusAdapter] };
  const loaded = loadConfig(input);
  if (!loaded.ok) throw new Error(loaded.mistakes.map(({ problem }) => problem).join());
  return new RemoteLayer(input, loaded.config);
}

/** What is wrong with sections, a line each. */
function wrong(sections: Readonly<Record<string, unknown>>, text = FILE): readonly string[] {
  const result = layer(text).with(sections);
  return result.ok ? [] : result.mistakes.map(({ path, problem }) => `${path}: ${problem}`);
}

describe("sections from afar", () => {
  test("stand in place of the file's, whole; the others are the file's", () => {
    const result = layer(FILE).with({ site: { name: "Shop" }, discovery: { isListening: false } });
    expect(result.ok && result.config).toMatchObject({
      site: { name: "Shop", timezone: "UTC" },
      http: { port: 8081 },
      discovery: { isListening: false, followsAddresses: true },
      devices: [{ id: "battery", settings: { maxChargeA: 20 } }],
    });
  });

  test("yield to the variables of the machine", () => {
    const result = layer(FILE, { HEMGATE_SITE_NAME: "Machine" }).with({ site: { name: "Shop" } });
    expect(result.ok && result.config.site.name).toBe("Machine");
  });

  test("are checked as the file is, and no value that stands there is told", () => {
    const device = { id: "B", adapter: "modbus", host: 7, profile: "deye-3p", password: "s3cret", port: "s3cret" };
    const result = layer(FILE).with({ site: { timezone: "s3cret" }, devices: [LIMITED, device] });
    const mistakes = result.ok ? [] : result.mistakes;
    expect(mistakes.map(({ path }) => path).toSorted()).toEqual([
      "devices[1].host",
      "devices[1].id",
      "devices[1].password",
      "devices[1].port",
      "site.timezone",
    ]);
    expect(JSON.stringify(mistakes)).not.toContain("s3cret");
  });

  test("may not be what only the house decides", () => {
    expect(wrong({ http: { port: 1 }, cloud: { gateway: "other" }, remote: { sections: [] }, devcies: [] })).toEqual([
      "http: decided in the house, not from afar",
      "cloud: decided in the house, not from afar",
      "remote: decided in the house, not from afar",
      'devcies: unknown key; did you mean "devices"?',
    ]);
    const text = `remote: { sections: [pricing] }\n${HOUSE}`;
    expect(wrong({ site: {} }, text)).toEqual(["site: decided in the house, not from afar"]);
    expect(wrong({ pricing: {} }, text)).toEqual([]);
    expect(wrong({ devices: [LIMITED] }, HOUSE)).toEqual(["devices: decided in the house, not from afar"]);
    expect(wrong({ pricing: {} }, `remote: { sections: [] }\n${HOUSE}`)).not.toEqual([]);
  });

  test("tell what the file itself says where they stand", () => {
    expect(layer(FILE).fileSays(["site", "pricing"])).toEqual([{ name: "House", timezone: "Europe/Berlin" }, null]);
  });
});

describe("what an installer decided about a device", () => {
  test("may be less from afar", () => {
    expect(wrong({ devices: [{ ...BATTERY, host: "10.0.0.9", settings: { maxChargeA: 10 } }] })).toEqual([]);
    expect(wrong({ devices: [{ ...LIMITED, confirmUnverified: ["battery.mode"] }] })).toEqual([]);
  });

  test.each([
    ["more", [{ ...BATTERY, settings: { maxChargeA: 21 } }], "devices[0].settings.maxChargeA"],
    ["left to the device", [BATTERY], "devices[0].settings.maxChargeA"],
    ["forgotten with the device", [], "devices"],
    ["escaped as another kind", [{ ...BATTERY, profile: "deye-1p" }], "devices"],
    ["set where the file sets none", [LIMITED, { ...LIMITED, id: "other" }], "devices[1].settings.maxChargeA"],
  ])("may not be %s", (_how, devices, path) => {
    expect(wrong({ devices }).map((line) => line.split(":")[0])).toEqual([path]);
  });

  test.each([
    ["all controls", { ...LIMITED, confirmUnverified: true }, "confirmUnverified"],
    ["a control that would outlive the gateway", { ...LIMITED, confirmNoFailsafe: true }, "confirmNoFailsafe"],
  ])("confirms %s in the house only", (_what, device, name) => {
    expect(wrong({ devices: [device] })).toEqual([
      `devices[0].${name}: confirmed in the house only, by who checked the device`,
    ]);
    const text = `remote: { sections: [devices] }\ndevices: [${JSON.stringify(device)}]`;
    expect(wrong({ devices: [device] }, text)).toEqual([]);
  });
});
