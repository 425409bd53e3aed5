import type { MarketSource } from "hemgate/sdk";
import { energyCharts } from "./energy-charts.ts";

/** Every source of market prices, in the order of their names. */
export const MARKETS: readonly MarketSource[] = [energyCharts];
