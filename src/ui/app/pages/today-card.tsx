/** The energy and the money of the running day, and how much of it came from the house itself. */
import { usePage } from "../context.ts";
import { energy, money, percent, text } from "../format.ts";
import { usePolled } from "../live/poll.ts";
import { Labelled, Value } from "../parts/value.tsx";
import type { EnergySavings } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { costOf, shareOf, totalsOf, useToday } from "./today.ts";

const MONEY_EACH_MS = 60_000;

export function Today() {
  const { texts, code } = useLanguage();
  const { nowMs } = usePage();
  const today = useToday();
  if (today === null) return null;
  const { generation, consumption, imported, exported, charge, discharge } = totalsOf(today, nowMs);
  const kwh = (value: number | null) => (value === null ? null : energy(value, code));
  const own = shareOf(consumption, imported);
  const rows = [
    [texts.home.produced, generation],
    [texts.home.used, consumption],
    [texts.home.bought, imported],
    [texts.home.sold, exported],
    [texts.home.charged, charge],
    [texts.home.discharged, discharge],
  ] as const;
  const known = rows.filter(([, value]) => value !== null);
  return (
    <section class="card" aria-labelledby="h-today">
      <header>
        <h2 id="h-today">{texts.home.today}</h2>
        <span class="muted small">{texts.home.since}</span>
      </header>
      {own === null || consumption === null || imported === null ? null : (
        <div class="ss">
          <Ring share={own} label={`${texts.home.selfSufficient} ${percent(own * 100, code)}`} />
          <div>
            <h3>{texts.home.selfSufficient}</h3>
            <p>
              {texts.home.ownShare(
                text(energy(Math.max(0, consumption - imported), code)),
                text(energy(consumption, code)),
              )}
            </p>
          </div>
        </div>
      )}
      {known.length === 0 ? <p class="second small">{texts.home.noToday}</p> : null}
      <dl class="kvs">
        {known.map(([label, value]) => (
          <Labelled key={label} label={label}>
            <Value quantity={kwh(value)} size="s" />
          </Labelled>
        ))}
        <MoneyToday />
      </dl>
    </section>
  );
}

/** What power from the grid cost today, less what the feed-in brought; nothing while that is not known. */
function MoneyToday() {
  const { texts, code } = useLanguage();
  const { nowMs } = usePage();
  const from = new Date(new Date(nowMs).setHours(0, 0, 0, 0)).toISOString();
  const savings = usePolled<EnergySavings>(`/local/energy/savings?resolution=DAY&from=${from}`, MONEY_EACH_MS).value;
  const cost = costOf(savings?.periods ?? []);
  if (savings === null || cost === null) return null;
  return (
    <Labelled label={cost < 0 ? texts.home.earned : texts.home.cost}>
      <span class="v s">{money(Math.abs(cost), savings.currency, code)}</span>
    </Labelled>
  );
}

function Ring({ share, label }: { readonly share: number; readonly label: string }) {
  const { code } = useLanguage();
  const own = Math.round(share * 100);
  return (
    <svg viewBox="0 0 96 96" role="img" aria-label={label}>
      <circle cx="48" cy="48" r="41" fill="none" stroke="var(--grid)" stroke-width="9" />
      <circle
        cx="48"
        cy="48"
        r="41"
        fill="none"
        stroke="var(--surface)"
        stroke-width="11"
        pathLength={100}
        stroke-dasharray={`${Math.min(100, own + 2)} 100`}
        transform="rotate(-90 48 48)"
      />
      <circle
        cx="48"
        cy="48"
        r="41"
        fill="none"
        stroke="var(--battery)"
        stroke-width="9"
        pathLength={100}
        stroke-dasharray={`${own} 100`}
        transform="rotate(-90 48 48)"
      />
      <text x="48" y="56">
        {percent(own, code)}
      </text>
    </svg>
  );
}
