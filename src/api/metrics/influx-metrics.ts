/** The figures of what is sent to an InfluxDB. */
import type { InfluxFigures } from "../../engine/contracts/other-programs.ts";
import { counter, gauge, type Metric } from "./metrics-text.ts";

export function influxMetrics({ sent, dropped, rejected, waiting, failures }: InfluxFigures): readonly Metric[] {
  return [
    counter("influx_sent_lines_total", "Lines that the InfluxDB took.", sent),
    counter("influx_dropped_lines_total", "Lines that were dropped because too much waited.", dropped),
    counter("influx_rejected_lines_total", "Lines that the InfluxDB refused for good.", rejected),
    gauge("influx_waiting_lines", "Lines that wait in memory for the InfluxDB.", waiting),
    gauge("influx_failures", "Failed attempts to reach the InfluxDB in a row.", failures),
  ];
}
