/** Whole systems and gateways of other devices over MQTT: Victron, SolarAssistant, Zigbee2MQTT. */
import type { Firmware } from "../twins/firmware/board.ts";
import { SolarAssistantTwin } from "../twins/firmware/solar-assistant.ts";
import { VictronGxTwin } from "../twins/firmware/victron-gx.ts";
import { Zigbee2MqttTwin, zigbeeNumber, zigbeeSwitch } from "../twins/firmware/zigbee2mqtt.ts";
import { type Kind, tenths } from "./firmware-kinds.ts";

const PORTAL = "c0619ab4a585";
const REPORT_MS = 30_000;

export function systems(): readonly Kind[] {
  return [victron(), solarAssistant(), zigbeePlug()];
}

function victron(): Kind {
  const twin = new VictronGxTwin(PORTAL);
  const value = (path: string): number => Number(twin.bus.get(path));
  return {
    id: "victron-mqtt",
    owner: "xia",
    twin,
    options: { bridge: "victron-gx", topic: PORTAL, settings: { maxChargeW: 3_000, maxDischargeW: 2_500 } },
    everyS: 5,
    truth: () => ({
      "meter.power": value("grid/30/Ac/Power"),
      "battery.power": value("system/0/Dc/Battery/Power"),
      "inverter.power": value("system/0/Ac/PvOnGrid/L1/Power") + value("system/0/Dc/Pv/Power"),
    }),
    move: (random) => {
      const pvW = Math.round(random.between(0, 4_000));
      twin.bus.set("system/0/Ac/PvOnGrid/L1/Power", pvW);
      twin.bus.set("system/0/Ac/Consumption/L1/Power", Math.round(random.between(300, 4_000)));
    },
    asks: /^R\//,
    hang: (isHung) => {
      twin.isSilent = isHung;
    },
  };
}

function solarAssistant(): Kind {
  const twin = new SolarAssistantTwin();
  return {
    id: "solar-assistant",
    owner: "yan",
    twin,
    options: { bridge: "solar-assistant", topic: "solar_assistant" },
    everyS: 30,
    isSlowed: true,
    truth: () => ({
      "battery.power": Number(twin.values.get("total/battery_power")),
      "battery.soc": Number(twin.values.get("total/battery_state_of_charge")),
    }),
    move: (random) => {
      twin.values.set("total/battery_power", Math.round(random.between(-3_000, 3_000)));
      twin.values.set("total/battery_state_of_charge", Math.round(random.between(10, 95)));
      for (const unit of [1, 2]) twin.values.set(`inverter_${unit}/pv_power`, Math.round(random.between(0, 3_000)));
    },
  };
}

function zigbeePlug(): Kind {
  const plug = {
    name: "garage/plug",
    gettable: ["power", "state"],
    exposes: [zigbeeSwitch(), zigbeeNumber("power", "W"), zigbeeNumber("energy", "kWh")],
    state: { state: "ON", power: 2_047.1, energy: 12.34 } as Record<string, unknown>,
  };
  const twin = new Zigbee2MqttTwin(plug);
  const reporting: Firmware = {
    will: twin.will,
    filters: twin.filters,
    ticks: [{ everyMs: REPORT_MS, run: (say) => twin.report(plug, say) }],
    connected: (say) => twin.connected(say),
    heard: (message, say) => twin.heard(message, say),
  };
  const isOn = (): boolean => plug.state["state"] === "ON";
  return {
    id: "zigbee-plug",
    owner: "zoe",
    twin: reporting,
    options: { bridge: "zigbee2mqtt", topic: "garage/plug", role: "charger" },
    everyS: 60,
    truth: () => ({ "charger.power": Number(plug.state["power"]), "charger.enabled": isOn() }),
    move: (random) => {
      plug.state = { ...plug.state, power: isOn() ? tenths(random, 900, 2_300) : 0 };
    },
    // Its own messages come back to it, too.
    asks: /^(?!\S+\/set )/,
  };
}
