/** Whether prices and a forecast are there; the settings have the forms. */
import { usePolled } from "../../live/poll.ts";
import { useLanguage } from "../../texts.ts";
import { StateMark, StepLead } from "./setup.tsx";
import type { Step } from "./use-setup.ts";

interface Forecast {
  readonly source: object | null;
}

export function PricesStep({ step }: { readonly step: Step | undefined }) {
  const { texts } = useLanguage();
  const { prices, reasons } = texts.setup;
  const forecast = usePolled<Forecast>("/local/forecast", 0);
  const hasForecast = (forecast.value?.source ?? null) !== null;
  return (
    <>
      <StepLead title={prices.title}>{prices.lead}</StepLead>
      <ul class="card flush list">
        <li class="li">
          <StateMark state={step?.state === "done" ? "done" : "open"} />
          <span>
            <span class="t">{prices.market}</span>
            <br />
            <span class="d">{reasons[step?.state === "done" ? "prices-known" : "no-prices"]}</span>
            <br />
            <a class="b s below" href="#/settings/prices">
              {prices.setPrices}
            </a>
          </span>
        </li>
        <li class="li">
          <StateMark state={hasForecast ? "done" : "open"} />
          <span>
            <span class="t">{prices.forecast}</span>
            <br />
            <span class="d">{hasForecast ? prices.hasForecast : prices.noForecast}</span>
            <br />
            <a class="b s below" href="#/settings/panels">
              {prices.setPanels}
            </a>
          </span>
        </li>
      </ul>
    </>
  );
}
