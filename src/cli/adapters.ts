import { cloudAdapter } from "../../adapters/clouds/cloud-adapter.ts";
import { CLOUD_VENDORS } from "../../adapters/clouds/cloud-vendors.generated.ts";
import { httpJsonAdapter } from "../../adapters/http-json/http-json-adapter.ts";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { simulatedAdapter } from "../../adapters/simulated/device/simulated-adapter.ts";
import { smartMeterAdapter } from "../../adapters/smart-meter/smart-meter-adapter.ts";
import { speedwireAdapter } from "../../adapters/speedwire/speedwire-adapter.ts";
import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import type { Adapter } from "../sdk/driver.ts";
import { sandboxVendors } from "./sandbox/sandbox-vendors.ts";

/** Every way to reach devices that this program has. */
export const ADAPTERS: readonly Adapter[] = [
  modbusAdapter,
  httpJsonAdapter,
  mqttAdapter,
  smartMeterAdapter,
  speedwireAdapter,
  cloudAdapter({ apps: {}, vendors: CLOUD_VENDORS }),
  simulatedAdapter(sandboxVendors()),
];
