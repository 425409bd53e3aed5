/** Answers of SMA's Monitoring API, with the parts that are used. What a plant does not have is missing. */
import { z } from "hemgate/sdk";
import { maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

const Plant = z.object({ plantId: z.string().min(1), name: maybeText, timezone: maybeText });
export type Plant = z.infer<typeof Plant>;
export const Plants = z.object({ plants: listOf(Plant) });

const Device = z.object({ name: maybeText, type: maybeText, product: maybeText, serial: maybeText });
export const Devices = z.object({ devices: z.array(Device.nullable().catch(null)) });
export type Devices = z.infer<typeof Devices>["devices"];

/** W in `Recent`, Wh in `Total`; %. */
const Balance = z.object({
  time: maybeText,
  pvGeneration: maybeNumber,
  totalConsumption: maybeNumber,
  batteryCharging: maybeNumber,
  batteryDischarging: maybeNumber,
  batteryStateOfCharge: maybeNumber,
  gridFeedIn: maybeNumber,
  gridConsumption: maybeNumber,
});
export type Balance = z.infer<typeof Balance>;
export const EnergyBalance = z.object({
  plant: z.object({ timezone: maybeText }).nullable().catch(null),
  set: listOf(Balance),
});
export type EnergyBalance = z.infer<typeof EnergyBalance>;
