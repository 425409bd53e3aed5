/** The last charges of a charger or car, with energy and cost. */
import { DAY_MS } from "../../../domain/duration.ts";
import type { ChargingSession } from "../../../domain/statistics/statistics.ts";
import { usePage } from "../context.ts";
import { clock, energy, money, text } from "../format.ts";
import type { KnownAsset } from "../live/assets.ts";
import { usePolled } from "../live/poll.ts";
import { useLanguage } from "../texts.ts";

const EACH_MS = 60_000;
const DAYS = 30;
const MOST = 10;
/** Less is a car that was asked whether it charges, kWh. */
const LEAST_KWH = 0.05;

interface ChargeSessionsProps {
  readonly asset: KnownAsset;
  /** ISO 4217; `null` before it is known. */
  readonly currency: string | null;
}

export function ChargeSessions({ asset, currency }: ChargeSessionsProps) {
  const { texts, code } = useLanguage();
  const { charging } = texts;
  const { nowMs } = usePage();
  const { id, kind, userId } = asset;
  const from = new Date((Math.floor(nowMs / DAY_MS) - DAYS) * DAY_MS).toISOString();
  const query = new URLSearchParams({ type: kind, id, startDate: from });
  const path = `/users/${encodeURIComponent(userId ?? "")}/statistics/charging/sessions?${query.toString()}`;
  const { value } = usePolled<readonly ChargingSession[]>(userId === undefined ? null : path, EACH_MS);
  if (value === null || currency === null) return null;
  const shown = value.filter(({ kwhSum }) => kwhSum >= LEAST_KWH).toReversed();
  const date = new Intl.DateTimeFormat(code, { weekday: "short", day: "numeric", month: "short" });
  return (
    <details>
      <summary>{charging.sessions}</summary>
      {shown.length === 0 ? <p class="small second">{charging.noSessions}</p> : null}
      {shown.length === 0 ? null : (
        <>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{charging.began}</th>
                <th scope="col">{charging.energy}</th>
                <th scope="col">{texts.history.cost}</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, MOST).map(({ from: begin, kwhSum, costSum, isCostKnown }) => (
                <tr key={begin}>
                  <th scope="row">
                    {date.format(Date.parse(begin))}, {clock(Date.parse(begin), code)}
                  </th>
                  <td>{text(energy(kwhSum, code))}</td>
                  <td>{isCostKnown ? money(costSum, currency, code) : texts.unknown}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">{charging.costHint}</p>
        </>
      )}
    </details>
  );
}
