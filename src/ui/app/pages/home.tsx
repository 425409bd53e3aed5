/** What the house does now, and why; today's energy; what needs a person. */
import { usePage } from "../context.ts";
import { age, clock, day, degrees, percent, power, text } from "../format.ts";
import { type KnownAsset, nameOf, powerOf, readAt } from "../live/assets.ts";
import { usePolled } from "../live/poll.ts";
import { type Branch, branchKw, type EnergyKind, type Flow, flowOf, ownShare } from "../parts/flow.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { flowWords, River } from "../parts/river.tsx";
import { Fresh, freshness, localFreshness, Value } from "../parts/value.tsx";
import type { EnergyState } from "../shapes.ts";
import { type Language, useLanguage } from "../texts.ts";
import { Attention } from "./attention.tsx";
import { Today } from "./today-card.tsx";

const ICONS: Readonly<Record<EnergyKind, IconName>> = {
  solar: "sun",
  battery: "battery",
  grid: "grid",
  home: "home",
  car: "car",
  heat: "heat",
};
const ENERGY_MS = 5_000;
const OWN = 0.995;

export function HomePage() {
  const language = useLanguage();
  const { texts, code } = language;
  const { house, nowMs } = usePage();
  const flow = flowOf(house.power, house.assets);
  const energyState = usePolled<EnergyState>(`/local/energy?language=${code}`, ENERGY_MS).value;
  return (
    <>
      <div class="lead">
        <p class="small">
          {day(nowMs, code)}, {clock(nowMs, code)}
        </p>
        <h1>{house.isConnected ? headline(flow, language) : texts.nav.home}</h1>
        <Reasons state={house.isConnected ? energyState : null} />
      </div>
      {house.lastEventAt !== null && house.assets.length === 0 ? <NothingYet /> : null}
      <div class="cols">
        <section class="card c7" aria-labelledby="h-now">
          <header>
            <h2 id="h-now">{texts.home.now}</h2>
            <PowerAge />
          </header>
          {flow === null ? <p class="second">{texts.home.unknownFlow}</p> : <FlowPicture flow={flow} />}
        </section>
        <div class="stack c5">
          <Attention state={house.isConnected ? energyState : null} />
          <Today />
        </div>
        <CarsAndHeat />
      </div>
    </>
  );
}

/** The answer first: what carries the house now. */
function headline(flow: Flow | null, { texts, code }: Language): string {
  const { headline: words } = texts.home;
  const share = flow === null ? null : ownShare(flow);
  if (flow === null || share === null) return words.unknown;
  const sold = branchKw(flow.uses, "grid");
  if (sold > 0.1) return words.selling(text(power(sold, code)));
  const isBattery = branchKw(flow.sources, "battery") > branchKw(flow.sources, "solar");
  if (share >= OWN) return isBattery ? words.fromBattery : words.ownPower;
  if (share >= 0.05) return words.partly(percent(share * 100, code));
  return words.buying(text(power(branchKw(flow.sources, "grid"), code)));
}

/** Why: what the energy manager says of the devices that it decides about. */
function Reasons({ state }: { readonly state: EnergyState | null }) {
  const { texts } = useLanguage();
  const explained = state?.devices.filter(({ reason, policy }) => reason !== null && policy !== null) ?? [];
  if (explained.length === 0) return null;
  return (
    <>
      {explained.map(({ id, name, reason }) => (
        <p key={id}>
          <b>{name}</b>
          {texts.colon}
          {reason?.text}
        </p>
      ))}
    </>
  );
}

function NothingYet() {
  const { texts } = useLanguage();
  return (
    <div class="card empty">
      <Icon name="devices" />
      <h2>{texts.home.nothingYet}</h2>
      <p>{texts.home.addFirst}</p>
      <a class="b p" href="#/add">
        {texts.add.title}
      </a>
    </div>
  );
}

function usePowerAge(): number | null {
  const { house, nowMs } = usePage();
  return house.power === null ? null : nowMs - Date.parse(house.power.lastUpdated);
}

/** True if the last known powers say nothing of now. */
function useStalePower(): boolean {
  const { house } = usePage();
  const ageMs = usePowerAge();
  return !house.isConnected || localFreshness(ageMs) !== "live";
}

function PowerAge() {
  const { house } = usePage();
  const ageMs = usePowerAge();
  return <Fresh ageMs={ageMs} state={house.isConnected ? localFreshness(ageMs) : "stale"} />;
}

function FlowPicture({ flow }: { readonly flow: Flow }) {
  const language = useLanguage();
  const { texts, code } = language;
  const isStale = useStalePower();
  const total = isStale ? { number: "–", unit: "" } : power(flow.totalKw, code);
  const label = flowWords(
    flow,
    (kind) => flowName(kind, language),
    (kw) => text(power(kw, code)),
  );
  return (
    <>
      <div class="fx" data-s={isStale ? "stale" : "live"}>
        <ul class="nds">
          {flow.sources.map((branch) => (
            <Node key={branch.kind} branch={branch} isSource />
          ))}
        </ul>
        <div class="riv">
          <River flow={flow} label={label} />
          <p class="bal">
            <span class="small second">{texts.home.house}</span>
            <b>{total.number}</b>
            <span class="small second">{total.unit}</span>
          </p>
        </div>
        <ul class="nds uses">
          {flow.uses.map((branch) => (
            <Node key={branch.kind} branch={branch} isSource={false} />
          ))}
        </ul>
      </div>
      {flow.mismatchKw === null ? null : (
        <p class="note">
          <Icon name="alert" />
          <span>{texts.home.mismatch(text(power(flow.mismatchKw, code)))}</span>
        </p>
      )}
    </>
  );
}

function Node({ branch, isSource }: { readonly branch: Branch; readonly isSource: boolean }) {
  const language = useLanguage();
  const isStale = useStalePower();
  const quantity = branch.kw === null || isStale ? null : power(branch.kw, language.code);
  return (
    <li class={`nd k-${branch.kind}`}>
      <span class="nm">
        <Icon name={ICONS[branch.kind]} />
        <span>
          {flowName(branch.kind, language)}
          <Level kind={branch.kind} />
        </span>
      </span>
      <Value quantity={quantity} isEstimate={branch.kind === "home"} />
      <span class="wd">{isStale ? language.texts.unknown : flowVerb(branch, isSource, language)}</span>
    </li>
  );
}

/** The mean state of charge of the batteries, by their size where all tell it. */
function Level({ kind }: { readonly kind: EnergyKind }) {
  const { code } = useLanguage();
  const { house } = usePage();
  if (kind !== "battery") return null;
  const parts = house.assets.flatMap(({ kind: of, chargeState }) =>
    of === "battery" && chargeState?.batteryLevel != null
      ? [{ level: chargeState.batteryLevel, size: chargeState.batteryCapacity ?? 1 }]
      : [],
  );
  const size = parts.reduce((all, part) => all + part.size, 0);
  if (size === 0) return null;
  return <> {percent(parts.reduce((all, part) => all + part.level * part.size, 0) / size, code)}</>;
}

function flowName(kind: EnergyKind, { texts }: Language): string {
  const { sun, battery, grid, home, cars, heat } = texts.home;
  return { solar: sun, battery, grid, home, car: cars, heat }[kind];
}

function flowVerb({ kind, kw }: Branch, isSource: boolean, { texts }: Language): string {
  const { idle, gives, discharges, charges, buys, feedsGrid, uses, calculated, fillsBattery } = texts.home;
  if (kw === null) return texts.unknown;
  if (kw < 0.01) return idle;
  if (isSource) return kind === "solar" ? gives : kind === "battery" ? discharges : buys;
  return { grid: feedsGrid, home: calculated, car: charges, battery: fillsBattery, heat: uses, solar: uses }[kind];
}

function CarsAndHeat() {
  const { texts } = useLanguage();
  const { house } = usePage();
  const shown = house.assets.filter(({ kind }) => kind === "charger" || kind === "vehicle" || kind === "hvac");
  if (shown.length === 0) return null;
  return (
    <section class="card flush c12" aria-labelledby="h-cars">
      <header>
        <h2 id="h-cars">{texts.home.carsAndHeat}</h2>
      </header>
      <ul class="list">
        {shown.map((asset) => (
          <CarOrHeat key={asset.id} asset={asset} />
        ))}
      </ul>
    </section>
  );
}

function CarOrHeat({ asset }: { readonly asset: KnownAsset }) {
  const { texts, code } = useLanguage();
  const { house, nowMs } = usePage();
  const at = readAt(asset);
  const state = freshness(at === null ? null : nowMs - at, asset.isReachable && house.isConnected);
  const kw = powerOf(asset);
  const { chargeState, temperatureState } = asset;
  const about =
    asset.kind === "hvac"
      ? temperatureState?.currentTemperature == null
        ? ""
        : degrees(temperatureState.currentTemperature, code)
      : [
          chargeState?.batteryLevel == null ? null : percent(chargeState.batteryLevel, code),
          chargeState?.isPluggedIn == null ? null : chargeState.isPluggedIn ? texts.home.plugged : texts.home.unplugged,
        ]
          .filter((part) => part !== null)
          .join(" · ");
  return (
    <li>
      <a
        class={`li k-${asset.kind === "hvac" ? "heat" : "car"}`}
        href={asset.kind === "hvac" ? `#/devices/${asset.id}` : "#/charging"}
      >
        <span class="glyph">
          <Icon name={asset.kind === "hvac" ? "heat" : "car"} />
        </span>
        <span>
          <span class="t">{nameOf(asset)}</span>
          <br />
          <span class="d">{state === "stale" && at !== null ? texts.silentFor(age(nowMs - at)) : about}</span>
        </span>
        <span class="e">
          <Value quantity={state === "live" && kw !== null ? power(kw, code) : null} size="s" />
          <Fresh ageMs={at === null ? null : nowMs - at} state={state} />
        </span>
      </a>
    </li>
  );
}
