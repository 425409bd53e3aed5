import type { MarketSource } from "hemgate/sdk";
import { awattar } from "./awattar.ts";
import { energyCharts } from "./energy-charts.ts";
import { entsoe } from "./entsoe.ts";
import { nordPool } from "./nord-pool.ts";
import { octopus } from "./octopus.ts";
import { tibber } from "./tibber.ts";

/** Every source of market prices, in the order of their names. */
export const MARKETS: readonly MarketSource[] = [awattar, energyCharts, entsoe, nordPool, octopus, tibber];
