import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import type { Adapter } from "../sdk/driver.ts";

/** Every way to reach devices that this program has. */
export const ADAPTERS: readonly Adapter[] = [modbusAdapter];
