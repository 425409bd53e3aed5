/** A house of chargers and of systems that manage other devices, all over MQTT, behind the engine. */

import { expect, it } from "vitest";
import type { Firmware } from "../twins/firmware/board.ts";
import { EverestTwin } from "../twins/firmware/everest.ts";
import { GoETwin } from "../twins/firmware/go-e.ts";
import { OpenEvseTwin } from "../twins/firmware/openevse.ts";
import { OpenWbTwin } from "../twins/firmware/openwb.ts";
import { SolarAssistantTwin } from "../twins/firmware/solar-assistant.ts";
import { VictronGxTwin } from "../twins/firmware/victron-gx.ts";
import { Zigbee2MqttTwin, zigbeeNumber } from "../twins/firmware/zigbee2mqtt.ts";
import { openMqttHouse } from "./house-bed.ts";

const MINUTE = 60_000;
const PORTAL = "c0619ab4a585";

const gx = new VictronGxTwin(PORTAL);
const goE = new GoETwin("00212345");
const TWINS: Readonly<Record<string, Firmware>> = {
  gx,
  goE,
  everest: new EverestTwin("evse_manager"),
  openevse: new OpenEvseTwin("openevse-7b2c"),
  openwb: new OpenWbTwin(),
  solar: new SolarAssistantTwin(),
  zigbee: new Zigbee2MqttTwin({
    name: "meter",
    gettable: ["power"],
    exposes: [zigbeeNumber("power", "W"), zigbeeNumber("energy", "kWh")],
    state: { power: 77, energy: 5 },
  }),
};
const LIMITS = { maxChargeW: 3_000, maxDischargeW: 3_000 };

const OPTIONS: readonly Record<string, unknown>[] = [
  { id: "gx", bridge: "victron-gx", topic: PORTAL, settings: LIMITS },
  { id: "station", bridge: "victron-gx", topic: PORTAL, role: "charger", channel: 40 },
  { id: "goE", bridge: "go-e", topic: "00212345" },
  { id: "everest", bridge: "everest", topic: "evse_manager" },
  { id: "openevse", bridge: "openevse", topic: "openevse-7b2c" },
  { id: "openwb", bridge: "openwb", topic: "openWB", role: "charger", channel: 3 },
  { id: "roof", bridge: "openwb", topic: "openWB", role: "inverter", channel: 5 },
  { id: "solar", bridge: "solar-assistant", topic: "solar_assistant" },
  { id: "zigbee", bridge: "zigbee2mqtt", topic: "meter", role: "meter" },
];

it("a house of energy managers reads every bridge's device, survives the broker, loses one alone, and is commanded", async () => {
  const { home, broker, boards, run, reachable, all } = await openMqttHouse(5, TWINS, OPTIONS);

  await home.world.clock.advance(MINUTE);
  expect(reachable()).toEqual(all);
  expect(run.engine.assets.list("charger")).toHaveLength(5);
  expect(run.engine.assets.list("battery")).toHaveLength(2);

  broker.stop();
  await home.world.clock.advance(MINUTE / 2);
  expect(reachable()).toEqual([]);
  broker.start();
  await home.world.clock.advance(2 * MINUTE);
  expect(reachable()).toEqual(all);

  boards.get("everest")?.pull();
  await home.world.clock.advance(MINUTE / 2);
  expect(reachable()).toEqual(all.filter((id) => id !== "everest"));

  for (const { asset } of run.engine.assets.list("charger")) {
    const start = run.engine.actions.start(asset.id, { targetType: "charger", kind: "STOP" });
    await home.world.clock.resolve(start, 10_000).catch(() => undefined);
  }
  await home.world.clock.advance(MINUTE);
  expect([goE.keys.get("frc"), gx.bus.get("evcharger/40/StartStop")]).toEqual([1, 0]);
  expect(broker.published.filter(({ topic, isRetained }) => /\/set$|^W\//.test(topic) && isRetained)).toEqual([]);

  await run.close();
  for (const board of boards.values()) board.pull();
  expect(run.process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
}, 60_000);
