/**
 * The power flow of a PV system. Fronius documents that what flows to the inverter is positive and what flows away from it
 * is negative; users report feed-in and charging as positive numbers as well. This is not verified at a device: which of
 * the two it is shows where panels, grid and battery add up to the load. Where nothing adds up, no direction is reported.
 */
import { batteryStatusOf, type SiteFlow } from "../kit/device/site-flow.ts";
import type { Channel } from "./schemas.ts";

/** Losses of the inverter, and parts that are measured a moment apart: W, and of the greatest flow. */
const TOLERANCE_W = 100;
const TOLERANCE_SHARE = 0.1;

/** Whether a sign makes grid and battery what they are here: 1 as documented, -1 the other way round. */
type Sign = 1 | -1;
const SIGNS: readonly Sign[] = [1, -1];

/** What is known of a system's signs from flows that left no doubt. */
export interface Signs {
  readonly grid: Sign | null;
  readonly battery: Sign | null;
}

export const NO_SIGNS: Signs = { grid: null, battery: null };

/** The flow, and what is known of the signs now. */
export function flowOf(
  channels: readonly (Channel | null)[],
  known: Signs,
): { readonly flow: SiteFlow; readonly known: Signs } {
  const pvW = inW(channels, "PowerPV");
  const load = inW(channels, "PowerLoad");
  const feedIn = inW(channels, "PowerFeedIn");
  const charge = inW(channels, "PowerBattCharge");
  const loadW = load === null ? null : Math.abs(load);
  const raw: Raw = { pvW, loadW, feedIn, charge };
  const balanced = balancedSigns(raw);
  const signs = chosen(balanced, known, raw);
  const certain = common(balanced);
  const batteryW = directed(charge, signs.battery, -1);
  return {
    flow: {
      pvW: pvW === null ? null : Math.max(0, pvW),
      gridW: directed(feedIn, signs.grid, 1),
      loadW,
      batteryW,
      batteryStatus: charge === null ? null : (batteryStatusOf(batteryW) ?? "UNKNOWN"),
      soc: channelValue(channels, "BattSOC"),
    },
    known: { grid: certain.grid ?? known.grid, battery: certain.battery ?? known.battery },
  };
}

/** A channel's value; null when the system did not tell it. */
export function channelValue(channels: readonly (Channel | null)[], name: string): number | null {
  return channels.find((one) => one?.channelName === name)?.value ?? null;
}

function inW(channels: readonly (Channel | null)[], name: string): number | null {
  const channel = channels.find((one) => one?.channelName === name);
  if (channel?.value == null) return null;
  const unit = channel.unit?.toLowerCase();
  if (unit === "kw") return channel.value * 1_000;
  return unit === "w" ? channel.value : null;
}

interface Raw {
  readonly pvW: number | null;
  readonly loadW: number | null;
  readonly feedIn: number | null;
  readonly charge: number | null;
}

interface Pair {
  readonly grid: Sign;
  readonly battery: Sign;
}

/** The ways to read the picture in which it adds up. */
function balancedSigns({ pvW, loadW, feedIn, charge }: Raw): readonly Pair[] {
  if (pvW === null || loadW === null || feedIn === null) return [];
  const flows = [pvW, loadW, feedIn, charge ?? 0].map(Math.abs);
  const toleranceW = Math.max(TOLERANCE_W, TOLERANCE_SHARE * Math.max(...flows));
  const pairs = SIGNS.flatMap((grid) => SIGNS.map((battery) => ({ grid, battery })));
  return pairs.filter(
    ({ grid, battery }) => Math.abs(pvW + grid * feedIn + battery * (charge ?? 0) - loadW) <= toleranceW,
  );
}

/** What the ways that fit what is known of the system agree on; for flows too small to matter the documented sign. */
function chosen(balanced: readonly Pair[], known: Signs, { feedIn, charge }: Raw): Signs {
  const fitting = balanced.filter(
    ({ grid, battery }) => (known.grid ?? grid) === grid && (known.battery ?? battery) === battery,
  );
  const ways = fitting.length > 0 ? fitting : balanced;
  const { grid, battery } = common(ways);
  const ofSmall = (power: number | null): Sign | null =>
    ways.length > 0 && Math.abs(power ?? 0) <= TOLERANCE_W ? 1 : null;
  return { grid: grid ?? ofSmall(feedIn), battery: battery ?? ofSmall(charge) };
}

function common(ways: readonly Pair[]): Signs {
  return { grid: agreed(ways.map(({ grid }) => grid)), battery: agreed(ways.map(({ battery }) => battery)) };
}

function agreed(signs: readonly Sign[]): Sign | null {
  const [first] = signs;
  return first !== undefined && signs.every((sign) => sign === first) ? first : null;
}

function directed(power: number | null, sign: Sign | null, toOurs: Sign): number | null {
  if (power === null || power === 0) return power;
  return sign === null ? null : power * sign * toOurs;
}
