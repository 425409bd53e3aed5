/** One device: its readings, what it is, and what may be commanded. */
import { usePage } from "../context.ts";
import { age, degrees, energy, number, percent, power, text } from "../format.ts";
import { type KnownAsset, nameOf, powerOf, readAt } from "../live/assets.ts";
import { Fresh, freshness, Labelled } from "../parts/value.tsx";
import { type Language, useLanguage } from "../texts.ts";
import { BatteryMode } from "./battery-mode.tsx";
import { BatteryUse } from "./battery-use.tsx";
import { DevicePlan, usePlan } from "./device-plan.tsx";
import { DeviceReadings } from "./device-readings.tsx";
import { doingOf, useMeterUse } from "./devices.tsx";
import { FindingList, useFindings } from "./findings.tsx";
import { HeatMode, HeatSetting } from "./heat-setting.tsx";
import { DeviceCard } from "./setup/device-card.tsx";

export function DevicePage({ id }: { readonly id: string }) {
  const language = useLanguage();
  const { texts } = language;
  const { house, nowMs } = usePage();
  const findings = useFindings();
  const useOf = useMeterUse();
  const asset = house.assets.find((other) => other.id === id);
  if (asset === undefined) {
    return <p class="lead">{house.lastEventAt === null ? texts.loading : texts.devices.gone}</p>;
  }
  const at = readAt(asset);
  const ageMs = at === null ? null : nowMs - at;
  const state = freshness(ageMs, asset.isReachable);
  const own = findings.value?.filter(({ assetId, state: of }) => assetId === id && of === "OPEN") ?? [];
  return (
    <>
      <p>
        <a href="#/devices">{texts.back}</a>
      </p>
      <div class="lead">
        <h1>{nameOf(asset)}</h1>
        <p>
          {state === "live" || at === null
            ? [texts.devices.kinds[asset.kind], doingOf(asset, texts, useOf(asset))].filter(Boolean).join(" · ")
            : texts.silentFor(age(nowMs - at))}
        </p>
      </div>
      <div class="cols">
        <div class="stack c7">
          <FindingList findings={own} onChange={findings.refresh} />
          <section class="card" aria-labelledby="h-readings">
            <header>
              <h2 id="h-readings">{texts.devices.readings}</h2>
              <Fresh ageMs={ageMs} state={state} />
            </header>
            <dl class="kvs">
              {readingsOf(asset, language).map(([label, value]) => (
                <Labelled key={label} label={label}>
                  <span class="v s" {...(state === "live" ? {} : { "data-s": "stale" })}>
                    {value}
                  </span>
                </Labelled>
              ))}
            </dl>
            <DeviceReadings deviceId={asset.deviceId ?? null} />
          </section>
          {asset.kind === "battery" || asset.kind === "hvac" ? <PlanCard id={id} /> : null}
        </div>
        <div class="stack c5">
          {asset.kind === "battery" ? <BatteryMode asset={asset} /> : null}
          {asset.kind === "battery" ? <BatteryUse /> : null}
          {asset.kind === "hvac" ? <HeatMode asset={asset} /> : null}
          {asset.kind === "hvac" ? <HeatSetting asset={asset} /> : null}
          <About asset={asset} />
          <DeviceCard asset={asset} />
        </div>
      </div>
    </>
  );
}

/** Chargers and cars have theirs on their own page. */
function PlanCard({ id }: { readonly id: string }) {
  const plan = usePlan().value;
  const isKnown = plan?.devices.some((each) => each.id === id) || plan?.leftOut.some((each) => each.id === id);
  if (!isKnown) return null;
  return (
    <section class="card">
      <div class="stack">
        <DevicePlan id={id} plan={plan} />
      </div>
    </section>
  );
}

function readingsOf(asset: KnownAsset, { texts, code }: Language): readonly (readonly [string, string])[] {
  const { rows } = texts.devices;
  const { chargeState, productionState, thermostatState, temperatureState } = asset;
  const signed = (kw: number): string => `${kw < -0.01 ? "\u2212" : ""}${text(power(kw, code))}`;
  const written = (value: number): string => degrees(value, code);
  const readings: readonly (readonly [string, string | null])[] = [
    [rows.power, mapped(powerOf(asset), signed)],
    [rows.level, mapped(chargeState?.batteryLevel, (value) => percent(value, code))],
    [rows.capacity, mapped(chargeState?.batteryCapacity, (value) => text(energy(value, code)))],
    [rows.limit, mapped(chargeState?.chargeLimit, (value) => percent(value, code))],
    [rows.reserve, mapped(chargeState?.dischargeLimit, (value) => percent(value, code))],
    [rows.maxCurrent, mapped(chargeState?.maxCurrent, (value) => `${number(value, code, 0)}\u202fA`)],
    [rows.lifetime, mapped(productionState?.totalLifetimeProduction, (value) => text(energy(value, code)))],
    [rows.temperature, mapped(temperatureState?.currentTemperature, written)],
    [rows.setpoint, mapped(thermostatState?.heatSetpoint, written)],
  ];
  return readings.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]));
}

function mapped(value: number | null | undefined, write: (value: number) => string): string | null {
  return value === null || value === undefined ? null : write(value);
}

function About({ asset }: { readonly asset: KnownAsset }) {
  const { texts } = useLanguage();
  const { brand, model, serialNumber, sn, vin, id } = asset.information ?? {};
  const rows = [
    [texts.devices.maker, brand],
    [texts.devices.model, model],
    [texts.devices.serial, serialNumber ?? sn ?? vin ?? id],
    [texts.devices.firmware, asset.firmware ?? undefined],
  ] as const;
  return (
    <section class="card" aria-labelledby="h-about">
      <header>
        <h2 id="h-about">{texts.devices.about}</h2>
      </header>
      <dl class="about">
        {rows.map(([label, value]) =>
          value === undefined || value === "" || value === "Unknown" ? null : (
            <>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </>
          ),
        )}
      </dl>
    </section>
  );
}
