/** What the panels of the house will give, and how that is known. */
import { instant, instantOrNull } from "../../../domain/fields.ts";
import { ForecastView } from "../../../domain/forecast/forecast-view.ts";
import { sourceProblemView } from "../../../domain/source-problem.ts";
import { localDayAt } from "../../../domain/statistics/statistics-calendar.ts";
import type { PanelSlot } from "../../../engine/contracts/energy/forecast.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";

const W_PER_KW = 1_000;

export function forecastRoutes(api: Api, { engine, clock, config }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/forecast",
    schema: {
      operationId: "getForecast",
      summary: "Get what the panels of the house will give, and how that is known",
      description:
        "From the beginning of today, in slots of the source's length. Mean power in kW, never negative: the middle expectation, and where the source has them the values that are exceeded with 90 % and with 10 % probability. `adjustedPower` is corrected by what the panels gave on the last days.",
      tags: ["installation"],
      response: { 200: jsonResponse("The forecast as it is known.", ForecastView), ...problemResponses() },
    },
    handler: (): ForecastView => {
      const { forecasts } = engine.services;
      const { fromMs } = localDayAt(config.site.timezone, clock.nowMs());
      const { source, problem, adjustment, ...times } = forecasts.state();
      return {
        source: source && { id: source.id, displayName: source.name, attribution: source.credit },
        lastFetchedAt: instantOrNull(times.fetchedAtMs),
        knownUntil: instantOrNull(times.knownUntilMs),
        nextFetchAt: instantOrNull(times.nextFetchMs),
        problem: problem && sourceProblemView(problem),
        adjustment: {
          factor: rounded(adjustment.factor),
          hours: adjustment.hours,
          forecast: rounded(adjustment.forecastKwh),
          measured: rounded(adjustment.measuredKwh),
        },
        slots: forecasts.between(fromMs, Number.POSITIVE_INFINITY).map(slotView),
      };
    },
  });
}

function slotView({ fromMs, toMs, powerW, p10W, p90W, adjustedW }: PanelSlot): ForecastView["slots"][number] {
  return {
    from: instant(fromMs),
    to: instant(toMs),
    power: powerW / W_PER_KW,
    power10: kw(p10W),
    power90: kw(p90W),
    adjustedPower: kw(adjustedW),
  };
}

/** To thousandths. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1_000) / 1_000;
}

function kw(powerW: number | null): number | null {
  return powerW === null ? null : powerW / W_PER_KW;
}
