import type { SearchScope, SeenService, Sighting } from "hemgate/sdk";
import { expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { FroniusTwin } from "../../twins/http-devices/fronius-twin.ts";
import { HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import type { HttpTwin } from "../../twins/http-devices/http-twin.ts";
import { ShellyRpcTwin } from "../../twins/http-devices/shelly-twin.ts";
import { bed, calm, HOST } from "./http-world.ts";

const READS = { key: "proofReads", values: { value: { amount: expect.any(Number), unit: "W", decimals: 0 } } };

const P1: SeenService = {
  source: "mdns",
  type: "_hwenergy._tcp",
  name: "p1meter-aabbcc",
  address: HOST,
  port: 80,
  txt: { api_enabled: "1", serial: "5c2fafaabbcc", product_type: "HWE-P1", product_name: "P1 Meter" },
};

async function look(twin: HttpTwin, profile: string, scope: Partial<SearchScope>) {
  const { world, adapter } = bed(twin, { profile });
  const deaf = { data: () => undefined, closed: () => undefined };
  await world.net.host().listen({ host: HOST, port: 80 }, () => deaf);
  const seen: Sighting[] = [];
  const whole = { isActive: true, hosts: [HOST], services: () => [], missing: null, vendorId: null, ...scope };
  const searching = adapter.discovery?.search(whole, (sighting) => seen.push(sighting), calm);
  await world.clock.resolve(Promise.resolve(searching), 60_000);
  return seen;
}

test("a passive search takes a device at its word and asks it nothing", async () => {
  const twin = new HomeWizardTwin(1);
  const [seen, ...more] = await look(twin, "homewizard-v1", { isActive: false, services: () => [P1] });
  expect(more).toEqual([]);
  expect(seen).toMatchObject({
    profile: "homewizard-v1",
    serial: "5c2fafaabbcc",
    source: "mdns",
    confidence: 0.6,
    place: { host: HOST },
    proof: { key: "proofAnnounced", values: { name: "p1meter-aabbcc" } },
  });
  expect(httpJsonAdapter.options.safeParse(seen?.options).success).toBe(true);
});

test("an active search asks it who it is, and what it reads", async () => {
  const seen = await look(new HomeWizardTwin(1), "homewizard-v1", { services: () => [P1] });
  const read = seen.find(({ source }) => source === "http");
  expect(read).toMatchObject({ serial: "5c2fafaabbcc", confidence: 0.95, vendorTypes: ["meter"] });
  expect(read?.proof).toMatchObject(READS);
  expect(read?.key).toBe(seen[0]?.key);
});

test("a device that wants a secret is told of and not bothered", async () => {
  const service = { ...P1, type: "_homewizard._tcp", txt: { ...P1.txt, api_version: "2.0.0" } };
  const seen = await look(new HomeWizardTwin(2), "homewizard-v2", { services: () => [service] });
  expect(seen.map(({ profile, needs }) => [profile, needs])).toEqual([["homewizard-v2", ["token"]]]);
});

test("a device that refuses to answer without its password is found with what it wants", async () => {
  const services = (): SeenService[] => [
    { ...P1, type: "_shelly._tcp", name: "shellypro3em-aabbccddeeff", txt: { gen: "2", app: "Pro3EM" } },
  ];
  const seen = await look(new ShellyRpcTwin("triphase", "hemgate"), "shelly-gen2-3em", { services });
  expect(seen.map(({ needs = [], confidence }) => [needs, confidence])).toEqual([
    [[], 0.6],
    [["password"], 0.7],
  ]);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
});

test.each([
  [{ password: "hemgate" }, { kind: "read", proof: READS }],
  [{ password: "wrong" }, { kind: "refused", why: "invalid-credentials", secret: "password" }],
  [{}, { kind: "refused", why: "invalid-credentials", secret: "password" }],
  [
    { password: "hemgate", host: "192.168.1.99" },
    { kind: "refused", why: expect.stringMatching(/^no|refused$/u) },
  ],
])("a found device is read once with %j before it is added", async (change, answer) => {
  const { world, adapter, options } = bed(new ShellyRpcTwin("triphase", "hemgate"), { profile: "shelly-gen2-3em" });
  const read = adapter.discovery?.readOnce?.({ ...options, ...change }, calm);
  expect(await world.clock.resolve(Promise.resolve(read), 60_000)).toEqual(answer);
});

test("a Fronius announces nothing and is known by its answer", async () => {
  const seen = await look(new FroniusTwin(), "fronius-solar-api", {});
  expect(seen).toMatchObject([{ profile: "fronius-solar-api", manufacturer: "Fronius", confidence: 0.95 }]);
});

test("each channel of a device is told as a device of its own", async () => {
  const profile = "shelly-gen2-em";
  const services = (): SeenService[] => [
    { ...P1, type: "_shelly._tcp", name: "shellyproem50-aabbccddeeff", txt: { gen: "2", app: "ProEM50" } },
  ];
  const seen = await look(new ShellyRpcTwin("monophase"), profile, { services });
  const read = seen.filter(({ source }) => source === "http");
  expect(read).toMatchObject([
    { key: `${profile}:AABBCCDDEEFF`, options: { settings: { channel: 0 } } },
    { key: `${profile}:AABBCCDDEEFF#1`, options: { settings: { channel: 1 } }, link: { vendorId: profile } },
  ]);
  expect(read[1]?.link?.key).toBe(read[1]?.key);
});

test("a lost channel is asked for at every host, and no other", async () => {
  const options = { profile: "shelly-gen2-em", host: "192.168.1.9", settings: { channel: 1 } };
  const missing = [{ options, serial: "AABBCCDDEEFF" }];
  const seen = await look(new ShellyRpcTwin("monophase"), "shelly-gen2-em", { missing });
  expect(seen).toMatchObject([{ key: "shelly-gen2-em:AABBCCDDEEFF#1", place: { host: HOST } }]);
});

test("a lost device is asked for at every host, as it is run", async () => {
  const missing = [{ options: { profile: "homewizard-v1", host: "192.168.1.9" }, serial: "5c2fafaabbcc" }];
  const seen = await look(new HomeWizardTwin(1), "homewizard-v1", { missing });
  expect(seen).toMatchObject([{ serial: "5c2fafaabbcc", place: { host: HOST } }]);
});

test.each([
  ["_shelly._tcp", "shellypro3em-aabbccddeeff", { gen: "2", app: "Pro3EM" }, "shelly-gen2-3em", "AABBCCDDEEFF"],
  ["_shelly._tcp", "shellyplus1pm-aabbccddeeff", { gen: "2", app: "Plus1PM" }, "shelly-gen2-switch", "AABBCCDDEEFF"],
  ["_http._tcp", "shellyem3-A4CF12345678", {}, "shelly-3em", "A4CF12345678"],
  ["_enphase-envoy._tcp", "envoy", { serialnum: "122233344455" }, "enphase-envoy", "122233344455"],
  ["_go-e._tcp", "go-eCharger_212345", {}, "go-e-http", null],
] as const)("%s %s", async (type, name, txt, profile, serial) => {
  const service: SeenService = { ...P1, type, name, txt };
  const seen = await look(new HomeWizardTwin(1), "homewizard-v1", { isActive: false, services: () => [service] });
  expect(seen).toMatchObject([{ profile, serial }]);
});

test("web servers that are no devices are passed over", async () => {
  const service: SeenService = { ...P1, type: "_http._tcp", name: "printer", txt: {} };
  expect(await look(new HomeWizardTwin(1), "homewizard-v1", { services: () => [service] })).toEqual([]);
});
