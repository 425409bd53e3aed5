/** All devices of the house, with what each does and how old that is; and what needs a person. */
import { usePage, useRight } from "../context.ts";
import { power } from "../format.ts";
import { type AssetKind, type KnownAsset, madeBy, nameOf, powerOf, readAt } from "../live/assets.ts";
import { usePolled } from "../live/poll.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Fresh, freshness, Value } from "../parts/value.tsx";
import { type Texts, useLanguage } from "../texts.ts";
import { FindingList, useFindings } from "./findings.tsx";
import type { MeterUse, Site } from "./settings/use-wiring.tsx";

const LOOKS: Readonly<Record<AssetKind, { readonly icon: IconName; readonly colour: string }>> = {
  battery: { icon: "battery", colour: "battery" },
  charger: { icon: "car", colour: "car" },
  hvac: { icon: "heat", colour: "heat" },
  inverter: { icon: "sun", colour: "solar" },
  meter: { icon: "grid", colour: "grid" },
  vehicle: { icon: "car", colour: "car" },
};

export function DevicesPage() {
  const { texts } = useLanguage();
  const { house } = usePage();
  const mayInstall = useRight("install");
  const findings = useFindings();
  const useOf = useMeterUse();
  const open = findings.value?.filter(({ state }) => state === "OPEN") ?? [];
  const answering = house.assets.filter(({ isReachable }) => isReachable).length;
  return (
    <>
      <div class="lead">
        <h1>{texts.devices.title(house.assets.length, answering)}</h1>
        <p>{texts.devices.lead(open.length)}</p>
      </div>
      <div class="cols">
        <section class="card flush c7" aria-labelledby="h-all">
          <header>
            <h2 id="h-all">{texts.devices.all}</h2>
            {mayInstall ? (
              <a class="b s" href="#/add">
                {texts.devices.add}
              </a>
            ) : (
              <span />
            )}
          </header>
          <ul class="list">
            {house.assets.map((asset) => (
              <DeviceRow key={asset.id} asset={asset} use={useOf(asset)} />
            ))}
          </ul>
        </section>
        <div class="c5">
          <FindingList findings={open} onChange={findings.refresh} />
        </div>
      </div>
    </>
  );
}

interface DeviceRowProps {
  readonly asset: KnownAsset;
  readonly use?: MeterUse | undefined;
}

export function DeviceRow({ asset, use }: DeviceRowProps) {
  const { texts, code } = useLanguage();
  const { nowMs } = usePage();
  const at = readAt(asset);
  const ageMs = at === null ? null : nowMs - at;
  const state = freshness(ageMs, asset.isReachable);
  const kw = powerOf(asset);
  const { icon, colour } = LOOKS[asset.kind];
  return (
    <li>
      <a class={`li k-${colour}`} href={`#/devices/${asset.id}`}>
        <span class={`glyph ${state === "live" ? "" : "off"}`}>
          <Icon name={icon} />
        </span>
        <span>
          <span class="t">{nameOf(asset)}</span>
          <br />
          <span class="d">
            {[texts.devices.kinds[asset.kind], state === "live" ? doingOf(asset, texts, use) : null, madeBy(asset)]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </span>
        <span class="e">
          {kw === null ? null : <Value quantity={state === "live" ? power(kw, code) : null} size="s" />}
          <Fresh ageMs={ageMs} state={state} />
        </span>
      </a>
    </li>
  );
}

/** Returns what a device's meter measures, if that is not the connection to the grid. */
export function useMeterUse(): (asset: KnownAsset) => MeterUse | undefined {
  const site = usePolled<Site>("/local/site", 0);
  return ({ kind, deviceId }) => (kind === "meter" ? site.value?.connection.meters?.[deviceId ?? ""] : undefined);
}

/** What a device does now, in a word; a number alone does not say which way the power goes. */
export function doingOf(asset: KnownAsset, { home }: Texts, use?: MeterUse): string | null {
  const kw = powerOf(asset);
  if (kw === null) return null;
  if (Math.abs(kw) < 0.01) return home.idle;
  switch (asset.kind) {
    case "battery":
      return kw > 0 ? home.charges : home.discharges;
    case "meter":
      if (use !== undefined) return use === "inside" ? home.uses : home.gives;
      return kw > 0 ? home.buys : home.sells;
    case "inverter":
      return home.gives;
    case "hvac":
      return home.uses;
    default:
      return home.charges;
  }
}
