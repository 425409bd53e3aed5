import type { ModbusProxy } from "../../engine/contracts/other-programs.ts";
import { counter, gauge, type Metric } from "./metrics-text.ts";

/** The figures of the Modbus proxy; none where the configuration has no proxy. */
export function proxyMetrics(proxy: ModbusProxy | null): readonly Metric[] {
  if (proxy === null) return [];
  const { clients, counts, refusedConnections } = proxy.state();
  const connections = clients.reduce((sum, client) => sum + client.connections, 0);
  return [
    gauge("modbus_proxy_connections", "Connections of other programs to the Modbus proxy.", connections),
    {
      ...counter("modbus_proxy_requests_total", "Requests to the Modbus proxy, by what became of them.", 0),
      samples: Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    counter(
      "modbus_proxy_refused_connections_total",
      "Connections of addresses that the Modbus proxy does not allow.",
      refusedConnections,
    ),
  ];
}
