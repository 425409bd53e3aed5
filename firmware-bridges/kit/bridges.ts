import { ahoydtu } from "../ahoydtu/ahoydtu.ts";
import { esphome } from "../esphome/esphome.ts";
import { evcc } from "../evcc/evcc.ts";
import { everest } from "../everest/everest.ts";
import { goE } from "../go-e/go-e.ts";
import { homeassistant } from "../homeassistant/homeassistant.ts";
import { homie } from "../homie/homie.ts";
import { opendtu } from "../opendtu/opendtu.ts";
import { openevse } from "../openevse/openevse.ts";
import { openwb } from "../openwb/openwb.ts";
import { shellyGen1 } from "../shelly-gen1/shelly-gen1.ts";
import { shellyGen2 } from "../shelly-gen2/shelly-gen2.ts";
import { solarAssistant } from "../solar-assistant/solar-assistant.ts";
import { tasmota } from "../tasmota/tasmota.ts";
import { victronGx } from "../victron-gx/victron-gx.ts";
import { zigbee2mqtt } from "../zigbee2mqtt/zigbee2mqtt.ts";
import type { Bridge } from "./bridge.ts";

/** All bridges, in the order of their names. */
export const BRIDGES: readonly Bridge[] = [
  ahoydtu,
  esphome,
  evcc,
  everest,
  goE,
  homeassistant,
  homie,
  opendtu,
  openevse,
  openwb,
  shellyGen1,
  shellyGen2,
  solarAssistant,
  tasmota,
  victronGx,
  zigbee2mqtt,
];
