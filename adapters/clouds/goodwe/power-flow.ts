/**
 * The picture of a station's power at this moment. Its numbers have no sign. Beside them stands a status, which users
 * read as -1 for what gives and 1 for what takes; the portal documents nothing. So it is believed only where panels,
 * grid and battery add up to the load that way, and where they add up in one way alone it is not needed.
 */
import { batteryStatusOf, type SiteFlow } from "../kit/device/site-flow.ts";
import type { PowerFlow } from "./schemas.ts";

/** Losses of the inverter, and parts that are measured a moment apart: W, and of the greatest flow. */
const TOLERANCE_W = 100;
const TOLERANCE_SHARE = 0.1;
const SIGNS = [1, -1] as const;
type Sign = (typeof SIGNS)[number];

interface Way {
  /** 1 is import. */
  readonly grid: Sign;
  /** 1 is into the battery. */
  readonly battery: Sign;
}

export function stationPower(flow: PowerFlow): Omit<SiteFlow, "soc"> {
  const [pvW, loadW] = [absolute(flow.pv), absolute(flow.load)];
  const [grid, battery] = [absolute(flow.grid), absolute(flow.bettery)];
  const ways = balancedWays({ pvW, loadW, grid, battery });
  const shown = ways.filter(
    (way) => flow.gridStatus === -way.grid && (battery === null || flow.betteryStatus === way.battery),
  );
  const gridSign = agreed(ways.map((way) => way.grid)) ?? agreed(shown.map((way) => way.grid));
  const batterySign = agreed(ways.map((way) => way.battery)) ?? agreed(shown.map((way) => way.battery));
  const batteryW = directed(battery, batterySign);
  return {
    pvW,
    gridW: directed(grid, gridSign),
    loadW,
    batteryW,
    batteryStatus: battery === null ? null : (batteryStatusOf(batteryW) ?? "UNKNOWN"),
  };
}

interface Sizes {
  readonly pvW: number | null;
  readonly loadW: number | null;
  readonly grid: number | null;
  readonly battery: number | null;
}

/** The ways to read the picture in which it adds up. */
function balancedWays({ pvW, loadW, grid, battery }: Sizes): readonly Way[] {
  if (pvW === null || loadW === null || grid === null) return [];
  const stored = battery ?? 0;
  const toleranceW = Math.max(TOLERANCE_W, TOLERANCE_SHARE * Math.max(pvW, loadW, grid, stored));
  const ways = SIGNS.flatMap((gridSign) => SIGNS.map((batterySign) => ({ grid: gridSign, battery: batterySign })));
  return ways.filter((way) => Math.abs(pvW + way.grid * grid - way.battery * stored - loadW) <= toleranceW);
}

function agreed(signs: readonly Sign[]): Sign | null {
  const [first] = signs;
  return first !== undefined && signs.every((sign) => sign === first) ? first : null;
}

function absolute(powerW: number | null): number | null {
  return powerW === null ? null : Math.abs(powerW);
}

function directed(powerW: number | null, sign: Sign | null): number | null {
  if (powerW === null || powerW === 0) return powerW;
  return sign === null ? null : powerW * sign;
}
