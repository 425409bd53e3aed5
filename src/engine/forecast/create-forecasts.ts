import { forecastMismatches } from "../../config/forecast-problems.ts";
import { adjustmentOf } from "../../domain/forecast/forecast-adjustment.ts";
import { problem } from "../../domain/problem.ts";
import type { Clock, Http, Log, Random } from "../../platform/ports/ports.ts";
import type { ForecastSource } from "../../sdk/forecast-source.ts";
import type { Store } from "../../store/store.ts";
import type { ForecastState, Forecasts } from "../contracts/energy/forecast.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Locations } from "../contracts/places.ts";
import type { EngineConfig } from "../engine-part.ts";

import type { Feature } from "../feature.ts";
import { ForecastService } from "./forecast-service.ts";

/** The parts of the engine that forecasts use. */
export interface ForecastNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly config: EngineConfig;
  /** The known sources, and HTTP to request them. */
  readonly forecast: { readonly http: Http; readonly sources: readonly ForecastSource[] };
}

/** Creates the configured forecast. If its configuration does not fit its source, it only reports that problem. */
export function createForecasts(
  context: ForecastNeeds,
  locations: Pick<Locations, "list" | "observe">,
): Feature<Forecasts> {
  const name = "forecasts";
  const { config, clock, forecast } = context;
  const { forecast: settings, site } = config;
  const log = context.log.child({ part: "forecast" });
  const source = forecast.sources.find(({ id }) => id === settings?.source);
  const problems = forecastMismatches(settings, forecast.sources).map(({ path, problem: text }) => {
    return `forecast.${path.join(".")}: ${text}`;
  });
  if (settings !== undefined && source !== undefined && problems.length === 0) {
    const { http } = forecast;
    const house = { http, owner: site.owner, sitePlace: site.place ?? null, locations };
    const service = new ForecastService({ ...context, ...house, log }, { source, settings });
    return { name, service, connect: () => service.connect(), loop: service };
  }
  for (const text of problems) log.error({ problem: text }, "forecast configuration is wrong; no forecast is fetched");
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
  const dismiss: Forecasts["dismiss"] = async () => {
    throw problem("not-found", "There is no finding about the forecast.");
  };
  return { name, service: { state: () => state, between: () => [], finding: () => null, dismiss, observe } };
}
