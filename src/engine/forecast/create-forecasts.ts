import { forecastMismatches } from "../../config/forecast-problems.ts";
import { adjustmentOf } from "../../domain/forecast/forecast-adjustment.ts";
import type { ForecastState, Forecasts } from "../contracts/forecast.ts";
import type { Locations } from "../contracts/places.ts";
import type { EnginePart, PartContext } from "../engine-part.ts";
import { ForecastService } from "./forecast-service.ts";

type Context = Pick<PartContext, "clock" | "random" | "log" | "store" | "assets" | "config" | "forecast">;

export interface MadeForecasts {
  readonly forecasts: Forecasts;
  readonly parts: readonly EnginePart[];
}

/** The forecast that is configured. One that does not fit its source is told, and the gateway works without it. */
export function createForecasts(context: Context, locations: Pick<Locations, "list" | "observe">): MadeForecasts {
  const { config, clock, forecast } = context;
  const { forecast: settings, site } = config;
  const log = context.log.child({ part: "forecast" });
  const source = forecast.sources.find(({ id }) => id === settings?.source);
  const problems = forecastMismatches(settings, forecast.sources).map(({ path, problem }) => {
    return `forecast.${path.join(".")}: ${problem}`;
  });
  if (settings !== undefined && source !== undefined && problems.length === 0) {
    const { http } = forecast;
    const house = { http, owner: site.owner, sitePlace: site.place ?? null, locations };
    const service = new ForecastService({ ...context, ...house, log }, { source, settings });
    return { forecasts: service, parts: [service] };
  }
  for (const problem of problems) log.error({ problem }, "no forecast");
  const known = source === undefined ? { id: settings?.source ?? "", name: "", credit: "" } : source;
  const state: ForecastState = {
    source: settings === undefined ? null : { id: known.id, name: known.name, credit: known.credit },
    fetchedAtMs: null,
    knownUntilMs: null,
    nextFetchMs: null,
    problem: problems.length === 0 ? null : { kind: "not-set-up", text: problems.join("; "), sinceMs: clock.nowMs() },
    adjustment: adjustmentOf([]),
  };
  const observe: Forecasts["observe"] = () => ({ [Symbol.dispose]: () => undefined });
  return { forecasts: { state: () => state, between: () => [], observe }, parts: [] };
}
