import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { mistakeLine } from "../../src/config/mistake.ts";
import { FAKE_ADAPTERS } from "./fake-adapters.ts";

const DEVICES = `devices:
  - { id: inverter, adapter: modbus, host: 10.0.0.5, unit: 1, profile: sunspec }
  - { id: reader, adapter: p1, path: /dev/ttyUSB0 }
`;
const ADAPTERS = FAKE_ADAPTERS.map((adapter) => ({ ...adapter, hasRegisters: adapter.name === "modbus" }));

function load(section: string, more = "") {
  const text = `${DEVICES}${more}modbusProxy: ${section}`;
  return loadConfig({ text, environment: {}, adapters: ADAPTERS });
}

function mistakes(section: string, more?: string): readonly string[] {
  const result = load(section, more);
  return result.ok ? [] : result.mistakes.map((mistake) => mistakeLine("g.yaml", mistake));
}

const ONE = "devices: [{ device: inverter, unit: 1 }]";

test.each([
  ["{ devices: [] }", "modbusProxy.devices: "],
  [
    "{ devices: [{ device: invrter, unit: 1 }] }",
    'modbusProxy.devices[0].device: there is no device "invrter"; use the id',
  ],
  [
    "{ devices: [{ device: 7c5ab9a1-0d7e-4f4e-9a4c-c0ffee, unit: 1 }] }",
    "`hemgate devices` prints it of one that was added on the page",
  ],
  [
    "{ devices: [{ device: reader, unit: 1 }] }",
    '"reader" is reached by p1 and has no Modbus registers; only devices of modbus can',
  ],
  [
    "{ devices: [{ device: inverter, unit: 1 }, { device: inverter, unit: 1 }] }",
    "modbusProxy.devices[1].unit: devices[0] has unit 1 already",
  ],
  [
    "{ devices: [{ device: inverter, unit: 256 }] }",
    "modbusProxy.devices[0].unit: wrong value; expected a whole number from 0 to 255",
  ],
  ["{ devices: [{ device: inverter }] }", "modbusProxy.devices[0].unit"],
  [`{ port: 8080, ${ONE} }`, "modbusProxy.port: http.port is 8080 already; take another one"],
  [`{ maxAgeMs: 60001, ${ONE} }`, "modbusProxy.maxAgeMs: wrong value; expected a whole number from 0 to 60000"],
  [
    `{ clients: [{ address: evcc.local }], ${ONE} }`,
    "modbusProxy.clients[0].address: expected an IP address such as 192.168.1.30, or a network",
  ],
  [`{ clients: [{ address: 192.168.1.0/33 }], ${ONE} }`, "modbusProxy.clients[0].address: "],
  [
    `{ clients: [{ address: 10.0.0.9 }, { address: 10.0.0.9 }], ${ONE} }`,
    "modbusProxy.clients[1].address: clients[0] has this address already",
  ],
  [
    `{ clients: [{ address: 10.0.0.0/8, mayWrite: [inverter] }], ${ONE} }`,
    "modbusProxy.clients[0].mayWrite: only a program at a single address may write",
  ],
  [
    `{ clients: [{ address: 10.0.0.9, mayWrite: [meter] }], ${ONE} }`,
    'modbusProxy.clients[0].mayWrite[0]: "meter" is not in modbusProxy.devices',
  ],
])("%s is a mistake with its place, what is wrong and what to do", (section, text) => {
  const found = mistakes(section);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(text);
});

test("the port of the embedded broker is taken as well", () => {
  expect(mistakes(`{ port: 1883, ${ONE} }`, "mqtt: {}\n")).toEqual([
    expect.stringContaining("modbusProxy.port: mqtt.port is 1883 already"),
  ]);
  expect(mistakes(`{ port: 1883, ${ONE} }`, "mqtt: { broker: { url: mqtt://10.0.0.2 } }\n")).toEqual([]);
});

test("what fits is taken, with port 1502 at every address, for all of the house to read", () => {
  const result = load(`{ ${ONE} }`);
  expect(result.ok && result.config.modbusProxy).toEqual({
    hosts: ["0.0.0.0"],
    port: 1502,
    devices: [{ device: "inverter", unit: 1 }],
    maxAgeMs: 2_000,
  });
  const clients = "clients: [{ address: 10.0.0.9, name: evcc, mayWrite: [inverter] }, { address: fd00::/8 }]";
  expect(mistakes(`{ hosts: ["::"], port: 502, ${ONE}, ${clients} }`)).toEqual([]);
  const added = "7c5ab9a1-0d7e-4f4e-9a4c-c0ffee000001";
  const writer = `[{ address: 10.0.0.9, mayWrite: [${added}] }]`;
  expect(mistakes(`{ devices: [{ device: ${added}, unit: 1 }], clients: ${writer} }`)).toEqual([]);
});
