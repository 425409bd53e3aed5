/** Examples of the Modbus proxy. */
import type { ModbusProxyState, ProxyClientState, ProxyCounts } from "../../../domain/modbus-proxy/proxy-state.ts";

const COUNTS: ProxyCounts = { cached: 8_412, read: 371, written: 0, refused: 2, failed: 1 };

const CLIENT: ProxyClientState = {
  address: "192.168.1.30",
  name: "evcc",
  connections: 1,
  mayWrite: ["inverter"],
  counts: COUNTS,
};

const STATE: ModbusProxyState = {
  listening: [{ host: "0.0.0.0", port: 1502 }],
  maxAgeMs: 2_000,
  devices: [{ deviceId: "inverter", name: "Roof", unit: 1, isReachable: true }],
  clients: [CLIENT],
  counts: COUNTS,
  refusedConnections: 0,
};

export const MODBUS_PROXY_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  ModbusProxyClient: [CLIENT],
  ModbusProxyCounts: [COUNTS],
  ModbusProxyState: [STATE],
};
