import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { ChargeShifts } from "../contracts/control.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Prices } from "../contracts/places.ts";
import type { InverterAnswer, InverterPeriod, Statistics } from "../contracts/statistics.ts";
import type { Users } from "../contracts/users.ts";

import type { Feature } from "../feature.ts";
import { EnergySeries } from "./energy-series.ts";
import { InverterProduction } from "./inverter-production.ts";
import { StatisticsNews } from "./statistics-news.ts";

/** What statistics need of the engine. */
export interface StatisticsNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly users: Users;
}

/** Statistics of users' assets, summed from the history when they are asked for. */
export class StatisticsService implements Statistics {
  readonly charging: Statistics["charging"];
  readonly sessions: Statistics["sessions"];
  readonly production: Statistics["production"];
  readonly vendor: Statistics["vendor"];
  readonly news: StatisticsNews;
  readonly #inverters: InverterProduction;

  constructor(
    context: StatisticsNeeds,
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
    if (answer.retryAtMs !== null) this.news.watch(inverterId, period, answer);
    return answer;
  }
}

export function createStatistics(
  ...needs: ConstructorParameters<typeof StatisticsService>
): Feature<StatisticsService> {
  const service = new StatisticsService(...needs);
  return { name: "statistics", service, loop: service.news };
}
