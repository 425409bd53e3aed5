/** Whatever comes on a device's topics: it is understood or refused, and nothing breaks. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Bridge, BridgeDevice } from "../../firmware-bridges/kit/bridge.ts";
import { BRIDGES } from "../../firmware-bridges/kit/bridges.ts";
import { DeviceError } from "../../src/points/device-error.ts";
import { bridgeOptions, readInto } from "./intake.ts";

/** A name that each bridge takes for its device. */
const TOPICS: Readonly<Record<string, string>> = { opendtu: "114181234567", homie: "meter", "go-e": "00212345" };
const ROLES = ["meter", "inverter", "battery", "charger", "hvac", null] as const;
/** Words that firmwares use, so that some of the nonsense gets far. */
const WORD = fc.constantFrom(
  "ENERGY",
  "Power",
  "SML",
  "StatusSNS",
  "POWER",
  "em:0",
  "switch:0",
  "apower",
  "output",
  "result",
  "params",
  "method",
  "NotifyStatus",
  "nodes",
  "properties",
  "unit",
  "W",
  "datatype",
  "float",
  "settable",
  "dev",
  "ids",
  "device",
  "stat_t",
  "dev_cla",
  "power",
  "unit_of_meas",
  "avty",
  "t",
  "cmps",
  "~",
  "state",
  "mac",
  "value",
  "friendly_name",
  "definition",
  "exposes",
  "features",
  "climate",
  "property",
  "access",
  "power_W",
  "total",
  "max_current",
  "chargemode",
  "id",
);
const JSON_VALUE = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    WORD,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(WORD, tie("value"), { maxKeys: 6 }),
  ),
})).value;
const TEXT = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom("", "online", "offline", "true", "ready", "ON", "nan", "-0", "1e308", "1e-320"),
  JSON_VALUE.map((value) => JSON.stringify(value) ?? ""),
);
const LEVEL = fc.constantFrom("x", "0", "1", "state", "power", "$state");

it.each(BRIDGES)("$name", (bridge) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ROLES),
      fc.array(fc.tuple(fc.nat(99), LEVEL, TEXT), { maxLength: 12 }),
      (role, heard) => {
        const device = opened(bridge, role);
        const { filters } = device;
        const messages = heard.map(([which, level, text]) => {
          const topic = (filters[which % filters.length] ?? "x").replaceAll(/[+#]/g, level);
          return { topic, text, isRetained: false };
        });
        for (const value of Object.values(readInto(device, messages))) {
          const isPlain = value === null || ["boolean", "string"].includes(typeof value);
          expect(isPlain || Number.isFinite(value), String(value)).toBe(true);
        }
        expect(Array.isArray(device.controls())).toBe(true);
        device.missing();
        const told = heard.map(([, level, text]) => ({
          topic: `homeassistant/sensor/${level}/config`,
          text,
          isRetained: true,
        }));
        expect(Array.isArray(bridge.announcements?.sightings(told) ?? [])).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

/** A device of the role, or of one that every bridge has where it refuses that. */
function opened(bridge: Bridge, role: (typeof ROLES)[number]): BridgeDevice {
  const options = bridgeOptions({ topic: TOPICS[bridge.name] ?? "device", role, channel: 0 });
  try {
    return bridge.open(options);
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    return bridge.open({ ...options, role: "charger" });
  }
}
