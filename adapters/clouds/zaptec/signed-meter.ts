/** The meter's reading as Zaptec's chargers sign it: Open Charge Metering Format (SAFE e.V., OCMF 1.0). */

import { z } from "hemgate/sdk";
import { lookup } from "../kit/device/lookup.ts";
import { looseNumber } from "../kit/device/loose-number.ts";

const MARK = "OCMF|";
/** The meter was good when it was read. */
const GOOD = "G";
/** Active energy, import, all tariffs (IEC 62056-6-1). */
const IMPORT = /^1-[0-9b]+:1\.8\.0/;
const WH: Readonly<Record<string, number>> = { kWh: 1_000, Wh: 1 };

const Reading = z.object({
  RV: z.unknown(),
  RU: z.string(),
  /** Reading identification, and status: those that are left out are as in the reading before. */
  RI: z.string().exactOptional(),
  ST: z.string().exactOptional(),
});
const Envelope = z.object({ RD: z.array(Reading) });

/** Wh given to vehicles since the meter was made; null when there is no good reading. */
export function lifetimeWh(signed: string | null): number | null {
  if (signed === null || !signed.startsWith(MARK)) return null;
  // The signature follows after a bar, which the payload itself does not hold; some firmware leaves it out.
  const [payload = ""] = signed.slice(MARK.length).split("|");
  const envelope = Envelope.safeParse(asJson(payload));
  if (!envelope.success) return null;
  let [identity, status, last]: [string, string, number | null] = ["", "", null];
  for (const { RV, RU, RI, ST } of envelope.data.RD) {
    [identity, status] = [RI ?? identity, ST ?? status];
    const [value, scale] = [looseNumber(RV), lookup(WH, RU)];
    if (status === GOOD && IMPORT.test(identity) && value !== null && scale !== null) last = value * scale;
  }
  return last;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
