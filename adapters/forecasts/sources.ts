import type { ForecastSource } from "hemgate/sdk";
import { forecastSolar } from "./forecast-solar.ts";
import { openMeteo } from "./open-meteo.ts";
import { solcast } from "./solcast.ts";

/** Every service that forecasts what panels give, in the order of their names. */
export const FORECAST_SOURCES: readonly ForecastSource[] = [forecastSolar, openMeteo, solcast];
