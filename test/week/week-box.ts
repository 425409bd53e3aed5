/** The gateway's box with the adapters of all devices in the house. */
import { httpJsonAdapter } from "../../adapters/http-json/http-json-adapter.ts";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { smartMeterAdapter } from "../../adapters/smart-meter/smart-meter-adapter.ts";
import { speedwireAdapter } from "../../adapters/speedwire/speedwire-adapter.ts";
import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import { configSchema } from "../../src/config/config.ts";
import type { World } from "../../src/testing/world.ts";
import { GatewayBox } from "../long-run/gateway-box.ts";
import type { WeekDevice } from "./week-device.ts";

const ADAPTERS = [modbusAdapter, mqttAdapter, httpJsonAdapter, smartMeterAdapter, speedwireAdapter];

export function weekBox(world: World, devices: readonly WeekDevice[], brokerUrl: string): GatewayBox {
  const config = configSchema(ADAPTERS).parse({
    site: { timezone: "Europe/Berlin" },
    mqtt: { broker: { url: brokerUrl } },
    devices: devices.map((device) => device.config),
  });
  return new GatewayBox(world, { config, adapters: () => ADAPTERS });
}
