import type { ChargeShifts } from "../contracts/control.ts";
import type { Prices } from "../contracts/places.ts";
import type { InverterAnswer, InverterPeriod, Statistics } from "../contracts/statistics.ts";
import type { PartContext } from "../engine-part.ts";
import { EnergySeries } from "./energy-series.ts";
import { InverterProduction } from "./inverter-production.ts";
import { StatisticsNews } from "./statistics-news.ts";

/** Statistics of users' assets, summed from the history when they are asked for. */
export class StatisticsService implements Statistics {
  readonly charging: Statistics["charging"];
  readonly sessions: Statistics["sessions"];
  readonly production: Statistics["production"];
  readonly vendor: Statistics["vendor"];
  readonly news: StatisticsNews;
  readonly #inverters: InverterProduction;

  constructor(
    context: Pick<PartContext, "clock" | "log" | "store" | "assets" | "users">,
    { prices, shifts }: { readonly prices: Pick<Prices, "between">; readonly shifts: ChargeShifts },
  ) {
    const { clock, log, store, assets, users } = context;
    const series = new EnergySeries({ clock, store, assets, users, prices, shifts });
    const inverters = new InverterProduction({ clock, store, assets });
    this.#inverters = inverters;
    this.charging = (query) => series.charging(query);
    this.sessions = (query) => series.sessions(query);
    this.production = (query) => series.production(query);
    this.vendor = (inverterId, query, userId) => {
      if (userId !== undefined) users.require(userId);
      return inverters.vendor(inverterId, query, userId);
    };
    this.news = new StatisticsNews({
      clock,
      log,
      store,
      assets,
      read: (inverterId, period) => inverters.period(inverterId, period),
    });
  }

  async inverter(inverterId: string, period: InverterPeriod): Promise<InverterAnswer> {
    const answer = await this.#inverters.period(inverterId, period);
    if (answer.retryAtMs !== null) this.news.given(inverterId, period, answer);
    return answer;
  }
}
