/** A house whose devices all speak MQTT, behind the engine: from the firmware's topic to the asset and back. */

import { expect, it } from "vitest";
import { AhoyDtuTwin } from "../twins/firmware/ahoydtu.ts";
import type { Firmware } from "../twins/firmware/board.ts";
import { EsphomeTwin } from "../twins/firmware/esphome.ts";
import { DiscoveryTwin } from "../twins/firmware/homeassistant.ts";
import { HomieTwin } from "../twins/firmware/homie.ts";
import { OpenDtuTwin } from "../twins/firmware/opendtu.ts";
import { ShellyGen1Twin } from "../twins/firmware/shelly-gen1.ts";
import { ShellyGen2Twin } from "../twins/firmware/shelly-gen2.ts";
import { TasmotaTwin } from "../twins/firmware/tasmota.ts";
import { openMqttHouse } from "./house-bed.ts";

const MINUTE = 60_000;

const plug = new TasmotaTwin("tasmota_345678");
const TWINS: Readonly<Record<string, Firmware>> = {
  plug,
  opendtu: new OpenDtuTwin("114181234567"),
  ahoydtu: new AhoyDtuTwin("garage", 0),
  em3: new ShellyGen1Twin("shellyem3-A4CF12345678", "SHEM-3", [
    { powerW: 300.5, voltage: 230.1, totalWh: 10, returnedWh: 0 },
    { powerW: 200.5, voltage: 230.2, totalWh: 10, returnedWh: 0 },
    { powerW: 100.5, voltage: 230.3, totalWh: 10, returnedWh: 0 },
  ]),
  pro3em: new ShellyGen2Twin("shellypro3em-aabbccddeeff", "SPEM-003CEBEU", {
    "em:0": { id: 0, total_act_power: -450.5 },
  }),
  node: new EsphomeTwin("node", [
    { component: "sensor", objectId: "power", unit: "W", deviceClass: "power", state: "77" },
  ]),
  deye: new DiscoveryTwin(
    "deye_1",
    {
      pv: {
        p: "sensor",
        dev_cla: "power",
        unit_of_meas: "kW",
        stat_t: "~/state",
        uniq_id: "pv",
        val_tpl: "{{ value_json.p }}",
      },
    },
    { state: { p: 1.25 } },
  ),
  homie: new HomieTwin("cellar", { power: { datatype: "float", unit: "W", value: "5" } }),
};

const OPTIONS: readonly Record<string, unknown>[] = [
  { id: "plug", bridge: "tasmota", topic: "tasmota_345678", role: "charger" },
  { id: "opendtu", bridge: "opendtu", topic: "114181234567" },
  { id: "ahoydtu", bridge: "ahoydtu", topic: "garage", channel: 0 },
  { id: "em3", bridge: "shelly-gen1", topic: "shellyem3-A4CF12345678", role: "meter" },
  { id: "pro3em", bridge: "shelly-gen2", topic: "shellypro3em-aabbccddeeff", role: "meter" },
  { id: "node", bridge: "esphome", topic: "node", role: "meter" },
  { id: "deye", bridge: "homeassistant", topic: "deye_1", role: "inverter" },
  { id: "homie", bridge: "homie", topic: "cellar", role: "meter" },
];

it("a house of firmwares reads every bridge's device, survives the broker, loses one alone, and switches a charger", async () => {
  const { home, broker, boards, run, reachable, all } = await openMqttHouse(3, TWINS, OPTIONS);

  await home.world.clock.advance(2 * MINUTE);
  expect(reachable()).toEqual(all);
  const rates = run.engine.assets.list("inverter").map(({ asset }) => asset.productionState.productionRate);
  expect(rates.toSorted()).toEqual([0.2875, 0.4123, 1.25]);

  broker.stop();
  await home.world.clock.advance(2 * MINUTE);
  expect(reachable()).toEqual([]);
  broker.start();
  await home.world.clock.advance(5 * MINUTE);
  expect(reachable()).toEqual(all);

  boards.get("pro3em")?.pull();
  await home.world.clock.advance(MINUTE);
  expect(reachable()).toEqual(all.filter((id) => id !== "pro3em"));

  const charger = run.engine.assets.list("charger")[0]?.asset.id ?? "";
  const stop = run.engine.actions.start(charger, { targetType: "charger", kind: "STOP" });
  const action = await home.world.clock.resolve(stop, 10_000);
  await home.world.clock.advance(MINUTE);
  expect(run.engine.actions.get("charger", action.id)).toMatchObject({ state: "CONFIRMED" });
  expect(plug.isOn).toBe(false);
  await run.close();
  for (const board of boards.values()) board.pull();
  expect(run.process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});
