import { expect, it } from "vitest";
import { discoverDevices } from "../../firmware-bridges/kit/discover.ts";
import { AhoyDtuTwin } from "../twins/firmware/ahoydtu.ts";
import { EsphomeTwin } from "../twins/firmware/esphome.ts";
import { HomieTwin } from "../twins/firmware/homie.ts";
import { OpenDtuTwin } from "../twins/firmware/opendtu.ts";
import { ShellyGen1Twin } from "../twins/firmware/shelly-gen1.ts";
import { ShellyGen2Twin } from "../twins/firmware/shelly-gen2.ts";
import { TasmotaTwin } from "../twins/firmware/tasmota.ts";
import { BROKER, MqttBench } from "./bench.ts";

const NEVER = new AbortController().signal;

it("finds every device on a broker once, by what it announces", async () => {
  await using bench = new MqttBench();
  bench.board(new OpenDtuTwin("114181234567"));
  bench.board(new AhoyDtuTwin("garage", 0));
  bench.board(new TasmotaTwin("tasmota_345678", { mac: "A4CF12345679" }));
  bench.board(new ShellyGen1Twin("shellyem3-A4CF12345678", "SHEM-3"));
  bench.board(new ShellyGen2Twin("shellypro3em-aabbccddeeff", "SPEM-003CEBEU", {}));
  const power = { component: "sensor", objectId: "power", unit: "W", deviceClass: "power", state: "1" } as const;
  bench.board(new EsphomeTwin("house-meter", [power]));
  bench.board(new HomieTwin("cellar", { power: { datatype: "float", unit: "W", value: "1" } }));
  await bench.pass(2_000);
  const { mqtt, clock } = bench.gateway.platform;
  using link = mqtt.connect({ url: BROKER });
  const found = await bench.world.clock.resolve(discoverDevices({ link, clock }, 10_000, NEVER), 20_000);
  expect(found.map(({ key, confidence }) => [key, confidence])).toEqual([
    ["opendtu:114181234567", 0.95],
    ["ahoydtu:garage", 0.9],
    ["shelly:a4cf12345678", 0.8],
    ["shelly:aabbccddeeff", 0.8],
    ["tasmota:a4cf12345679", 0.5],
    ["homie:homie/cellar", 0.4],
    // It announces itself for Home Assistant, too, and is one device.
    ["esphome:c8c9a3aabbcc", 0.3],
  ]);
});

it("finds each relay and each circuit of a device", async () => {
  await using bench = new MqttBench();
  bench.board(new ShellyGen1Twin("shellyswitch25-A4CF12345678", "SHSW-25"));
  bench.board(new ShellyGen2Twin("shellyplus2pm-aabbccddee01", "SNSW-102P16EU", {}));
  bench.board(new ShellyGen2Twin("shellyplus1pm-aabbccddee02", "SNSW-001P16EU", {}));
  const { mqtt, clock } = bench.gateway.platform;
  using link = mqtt.connect({ url: BROKER });
  const finding = discoverDevices({ link, clock }, 10_000, NEVER);
  await bench.pass(2_000);
  const em = { id: "shellyem-A4CF12345679", mac: "A4CF12345679", model: "SHEM", fw_ver: "1" };
  await bench.publish(`shellies/${em.id}/announce`, JSON.stringify(em), false);
  const event = { src: "shellypro3em-aabbccddee03", method: "NotifyStatus", params: { "em1:2": { act_power: 7 } } };
  await bench.publish("shellypro3em-aabbccddee03/events/rpc", JSON.stringify(event), false);
  const found = await bench.world.clock.resolve(finding, 20_000);
  const told = found.map(({ key, options }) => [key, options.channel ?? null] as const);
  expect(told.toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual([
    ["shelly:a4cf12345678", null],
    ["shelly:a4cf12345678#1", 1],
    ["shelly:a4cf12345679", null],
    ["shelly:a4cf12345679#1", 1],
    ["shelly:aabbccddee01", null],
    ["shelly:aabbccddee01#1", 1],
    ["shelly:aabbccddee02", null],
    ["shelly:aabbccddee03", null],
    ["shelly:aabbccddee03#2", 2],
  ]);
});

it("finds nothing, and does not fail, when nobody or nonsense is there", async () => {
  await using bench = new MqttBench();
  await bench.publish("tasmota/discovery/A4CF12345678/config", '{"t":7,"mac":[]}', true);
  await bench.publish("homeassistant/sensor/x/config", "[[[[", true);
  await bench.broker.publish({ topic: "esphome/discover/x", payload: new Uint8Array([255, 0]), isRetained: true });
  const { mqtt, clock } = bench.gateway.platform;
  using link = mqtt.connect({ url: BROKER });
  expect(await bench.world.clock.resolve(discoverDevices({ link, clock }, 10_000, NEVER), 20_000)).toEqual([]);
});
