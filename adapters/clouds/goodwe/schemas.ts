/** Answers of the SEMS portal, with the parts that are used. Numbers come as such, or as texts with their unit. */
import { z } from "hemgate/sdk";
import { looseNumber } from "../kit/device/loose-number.ts";
import { maybeFlag, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

const loose = z.unknown().transform(looseNumber);
/** `1234(W)`, `1.2(kW)` or a number of W. */
const watts = z.unknown().transform((value) => {
  const number = looseNumber(value);
  return number !== null && /kW/i.test(String(value)) ? number * 1_000 : number;
});

/** Stands in every answer: a number or a text. */
export const Outcome = z.object({ code: z.union([z.string(), z.number()]).transform(String) });

/** What stands in `data` is the token as a whole. */
export const Login = z.object({
  api: maybeText,
  data: z.looseObject({ token: z.string().min(1), uid: maybeText, api: maybeText }),
});

const Name = { stationname: maybeText };
const Station = z.union([
  z
    .string()
    .min(1)
    .transform((id) => ({ id, name: null })),
  z.object({ id: z.string().min(1), ...Name }).transform(({ id, stationname: name }) => ({ id, name })),
  z
    .object({ powerstation_id: z.string().min(1), ...Name })
    .transform(({ powerstation_id: id, stationname: name }) => ({ id, name })),
]);
export type Station = z.infer<typeof Station>;

/** One station's id, or a list of ids or of stations. */
export const Stations = z.object({
  data: z.preprocess((data) => (typeof data === "string" ? [data] : data), listOf(Station)),
});

const PowerFlow = z.object({
  pv: watts,
  load: watts,
  grid: watts,
  gridStatus: loose,
  /** The portal's own spelling. */
  bettery: watts,
  betteryStatus: loose,
  soc: loose,
});
export type PowerFlow = z.infer<typeof PowerFlow>;

const Inverter = z.object({
  sn: maybeText,
  /** -1 is offline. */
  status: loose,
  invert_full: z.object({ model_type: maybeText, pac: loose, last_time: loose }).nullable().catch(null),
});
export type Inverter = z.infer<typeof Inverter>;

export const Detail = z.object({
  data: z.object({
    info: z.object({ stationname: maybeText, battery_capacity: loose }).nullable().catch(null),
    /** kWh since installation. */
    kpi: z.object({ total_power: loose }).nullable().catch(null),
    inverter: z.array(Inverter.nullable().catch(null)).catch([]),
    hasPowerflow: maybeFlag,
    powerflow: PowerFlow.nullable().catch(null),
    isShowBattery: maybeFlag,
  }),
});
export type Detail = z.infer<typeof Detail>["data"];
