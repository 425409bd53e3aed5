import type { PointName } from "hemgate/sdk";
import type { ModelInstance } from "./model-instance.ts";
import type { PollList } from "./poll-list.ts";

const SIGNED: readonly (readonly [PointName, string])[] = [
  ["meter.power", "W"],
  ["meter.power.l1", "WphA"],
  ["meter.power.l2", "WphB"],
  ["meter.power.l3", "WphC"],
];

const UNSIGNED: readonly (readonly [PointName, string])[] = [
  ["meter.voltage.l1", "PhVphA"],
  ["meter.voltage.l2", "PhVphB"],
  ["meter.voltage.l3", "PhVphC"],
  ["meter.current.l1", "AphA"],
  ["meter.current.l2", "AphB"],
  ["meter.current.l3", "AphC"],
  ["meter.frequency", "Hz"],
];

/**
 * The grid meter: models 201 to 204, 211 to 214. SunSpec leaves the sign of W to the vendor. Fronius and most others
 * count import positive (evcc's fronius-gen24 template); SolarEdge counts export positive (solaredge-modbus-multi and
 * evcc's solaredge-hybrid template agree). The two energy counters mean the same everywhere.
 */
export function addMeterPoints(polls: PollList, meter: ModelInstance, isExportPositive: boolean): void {
  const sign = isExportPositive ? -1 : 1;
  for (const [name, path] of SIGNED) polls.point(name, meter, path, "fast", { sign });
  for (const [name, path] of UNSIGNED) polls.point(name, meter, path, "normal");
  polls.point("meter.energyImport", meter, "TotWhImp", "normal");
  polls.point("meter.energyExport", meter, "TotWhExp", "normal");
}
