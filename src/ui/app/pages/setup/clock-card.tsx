/** Where the gateway is in the network, and whether its clock is right: prices and schedules follow it. */
import { MINUTE_MS } from "../../../../domain/duration.ts";
import { usePage } from "../../context.ts";
import { age, clock, day } from "../../format.ts";
import { useLanguage } from "../../texts.ts";
import { StateMark } from "./setup.tsx";

/** Phones have the time of their network. */
const MOST_APART_MS = 2 * MINUTE_MS;

export function ClockCard() {
  const { texts, code } = useLanguage();
  const { setup, settings } = texts;
  const { house, nowMs } = usePage();
  const apartMs = Math.abs(house.clockOffsetMs);
  const isRight = apartMs <= MOST_APART_MS;
  const isEncrypted = location.protocol === "https:";
  return (
    <section class="card" aria-labelledby="h-clock">
      <header>
        <h2 id="h-clock">{setup.clock.title}</h2>
      </header>
      <div class="stack">
        <dl class="about">
          <dt>{setup.clock.address}</dt>
          <dd>{location.host}</dd>
          <dt>{setup.clock.time}</dt>
          <dd>
            {day(nowMs, code)}, {clock(nowMs, code)}
          </dd>
        </dl>
        <p class="row small">
          <StateMark state={isRight ? "done" : "warn"} />
          <span>{isRight ? setup.clock.right : setup.clock.wrong(age(apartMs))}</span>
        </p>
        <p class="row small">
          <StateMark state={isEncrypted ? "done" : "warn"} />
          <a href="#/settings/encryption">{isEncrypted ? settings.https.encrypted : settings.https.plain}</a>
        </p>
      </div>
    </section>
  );
}
