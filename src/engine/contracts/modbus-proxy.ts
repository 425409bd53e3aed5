import type { ModbusProxyState } from "../../domain/modbus-proxy/proxy-state.ts";

/** The Modbus TCP server through which other programs reach devices. */
export interface ModbusProxy {
  state(): ModbusProxyState;
}
