/**
 * The picture of a site's power at this moment. Its numbers have no sign: where power goes stands in the arrows alone,
 * whose names are written now in this case and now in that.
 */
import { lookup } from "../kit/device/lookup.ts";
import { batteryStatusOf, type SiteFlow } from "../kit/device/site-flow.ts";
import type { Part, PowerFlow } from "./schemas.ts";

const W_PER: Readonly<Record<string, number>> = { W: 1, kW: 1_000 };

/** Null where the picture does not tell: no such part, one that is not heard of, an arrow that is missing or both ways. */
export function sitePower(flow: PowerFlow): SiteFlow {
  const inW = (part: Part): number | null => {
    const scale = lookup(W_PER, flow.unit);
    const power = activePart(part)?.currentPower ?? null;
    return scale === null || power === null ? null : Math.round(Math.abs(power) * scale);
  };
  const batteryW = directed(inW(flow.STORAGE), arrowOf(flow, "storage"), "in");
  return {
    pvW: inW(flow.PV),
    gridW: directed(inW(flow.GRID), arrowOf(flow, "grid"), "out"),
    loadW: inW(flow.LOAD),
    batteryW,
    batteryStatus: activePart(flow.STORAGE) === null ? null : (batteryStatusOf(batteryW) ?? "UNKNOWN"),
    soc: activePart(flow.STORAGE)?.chargeLevel ?? null,
  };
}

type Arrow = "in" | "out";

/** Where power flows at a part of the site; null: it is not said, or both ways are. */
function arrowOf({ connections }: PowerFlow, part: string): Arrow | null {
  const isOut = connections.some(({ from }) => from.toLowerCase() === part);
  const isIn = connections.some(({ to }) => to.toLowerCase() === part);
  if (isOut === isIn) return null;
  return isOut ? "out" : "in";
}

function directed(powerW: number | null, arrow: Arrow | null, positive: Arrow): number | null {
  if (powerW === null || powerW === 0) return powerW;
  if (arrow === null) return null;
  return arrow === positive ? powerW : -powerW;
}

/** A part that the vendor has lost goes on showing a number. */
function activePart(part: Part): Part {
  return part?.status?.toLowerCase() === "disabled" ? null : part;
}
