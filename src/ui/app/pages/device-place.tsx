/** Where a device is connected: what a meter measures, behind which fuse and on which phases it is, and at which location. */
import { useState } from "preact/hooks";
import { ask } from "../api.ts";
import { useRight } from "../context.ts";
import { assetPath, type KnownAsset } from "../live/assets.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Outcome, useTask } from "../parts/form.tsx";
import { useLanguage } from "../texts.ts";
import { Select } from "./settings/fuses.tsx";
import { type Circuit, type MeterUse, PHASES, type Site, useWiringForm, type Wiring } from "./settings/use-wiring.tsx";

interface Place {
  readonly id: string;
  readonly name: string;
}

interface DevicePlaceProps {
  readonly asset: KnownAsset;
  /** Of the device in the configuration. */
  readonly deviceId: string;
}

/** `null` for a car, which hangs on its charger, and for people who may not change it. */
export function DevicePlace({ asset, deviceId }: DevicePlaceProps) {
  const { texts } = useLanguage();
  const isShown = useRight("install") && asset.kind !== "vehicle";
  const site = usePolled<Site>(isShown ? "/local/site" : null, 0);
  const locations = usePolled<{ readonly data: readonly Place[] }>(isShown ? "/locations" : null, 0);
  if (!isShown || site.value === null) return null;
  return (
    <section class="card" aria-labelledby="h-place">
      <header>
        <h2 id="h-place">{texts.setup.device.place}</h2>
      </header>
      <div class="stack">
        <WiringForm asset={asset} deviceId={deviceId} site={site.value} onDone={site.refresh} />
        <LocationForm asset={asset} places={locations.value?.data ?? []} />
      </div>
    </section>
  );
}

interface WiringFormProps extends DevicePlaceProps {
  readonly site: Site;
  readonly onDone: () => void;
}

function WiringForm({ asset, deviceId, site, onDone }: WiringFormProps) {
  const { texts } = useLanguage();
  const { device: words } = texts.setup;
  const { fuses, origin } = texts.settings;
  const { wiring, isChanged, isFixed, change, setPhases, task, submit } = useWiringForm(site, onDone);
  const { gridMeter, meters, circuits, phasesOf } = wiring;
  const lines = circuits ?? [];
  const fixed = (["gridMeter", "meters", "circuits", "phasesOf"] as const).filter(isFixed);
  const named = lines.map(({ id, name }) => [id, words.line(name ?? id)] as const);
  const setRole = (role: string): void => {
    const others = lines.map((line) => (line.meter === deviceId ? without(line, "meter") : line));
    const chosen = others.map((line) => (line.id === role ? { ...line, meter: deviceId } : line));
    const { [deviceId]: _before, ...uses } = meters ?? {};
    const used = isUse(role) ? { ...uses, [deviceId]: role } : uses;
    const grid = role === GRID ? deviceId : gridMeter === deviceId ? null : undefined;
    change({
      ...(grid !== undefined && { gridMeter: grid }),
      ...(isFixed("meters") ? {} : { meters: Object.keys(used).length === 0 ? null : used }),
      ...(isFixed("circuits") || lines.length === 0 ? {} : { circuits: chosen }),
    });
  };
  const now = phasesOf?.[deviceId]?.join(" ") ?? "";
  return (
    <form class="form" onSubmit={submit}>
      {asset.kind === "meter" ? (
        <Select
          label={words.measures}
          isDisabled={isFixed("gridMeter")}
          value={roleOf(deviceId, wiring)}
          choices={[
            ["", fuses.automatic],
            [GRID, words.atGrid],
            ...(isFixed("meters") ? [] : USES.map((use) => [use, words.uses[use]] as const)),
            ...(isFixed("circuits") ? [] : named),
          ]}
          onChoose={setRole}
        />
      ) : lines.length === 0 ? null : (
        <Select
          label={fuses.behind}
          isDisabled={isFixed("circuits")}
          value={lines.find(({ members }) => members?.includes(deviceId))?.id ?? ""}
          choices={[["", fuses.mainFuse], ...named]}
          onChoose={(id) => change({ circuits: moved(lines, deviceId, id) })}
        />
      )}
      <Select
        label={fuses.phases}
        isDisabled={isFixed("phasesOf")}
        value={now}
        choices={[["", fuses.usual], ...PHASES.map((each) => [each, each] as const)]}
        onChoose={(chosen) => setPhases(deviceId, chosen)}
      />
      {site.warnings
        .filter(({ path: [setting, id] }) => setting === "meters" && id === deviceId)
        .map(({ message }) => (
          <p class="small second" key={message}>
            {message}
          </p>
        ))}
      {fixed.length === 0 ? null : (
        <p class="hint">{origin.file(fixed.map((name) => `site.connection.${name}`).join(", "))}</p>
      )}
      <Button type="submit" kind="s" task={task} isDisabled={!isChanged}>
        {task.isBusy ? texts.saving : texts.save}
      </Button>
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}

const GRID = "grid connection";
const USES: readonly MeterUse[] = ["panels", "panels-turned", "other-panels", "other-panels-turned", "inside"];

function isUse(role: string): role is MeterUse {
  return USES.some((use) => use === role);
}

/** The meter of a circuit stays that one, whatever else it is. */
function roleOf(deviceId: string, { gridMeter, meters, circuits }: Wiring): string {
  if (gridMeter === deviceId) return GRID;
  return circuits?.find(({ meter }) => meter === deviceId)?.id ?? meters?.[deviceId] ?? "";
}

function without(circuit: Circuit, name: "meter"): Circuit {
  const { [name]: _gone, ...rest } = circuit;
  return rest;
}

/** A device is behind one fuse only; an empty id puts it behind the main fuse. */
function moved(lines: readonly Circuit[], deviceId: string, id: string): readonly Circuit[] {
  return lines.map((line) => {
    const others = line.members?.filter((member) => member !== deviceId) ?? [];
    return { ...line, members: line.id === id ? [...others, deviceId] : others };
  });
}

/** Chargers and heating have a location, which has prices and a time zone. */
function LocationForm({ asset, places }: { readonly asset: KnownAsset; readonly places: readonly Place[] }) {
  const { texts } = useLanguage();
  const task = useTask();
  const [chosen, setChosen] = useState(asset.locationId ?? "");
  const isPlaced = asset.kind === "charger" || asset.kind === "hvac";
  if (!isPlaced || places.length === 0) return null;
  const choose = (locationId: string): void => {
    setChosen(locationId);
    task.run(() => ask("PUT", assetPath(asset), { locationId: locationId === "" ? null : locationId }));
  };
  return (
    <div class="form">
      <Select
        label={texts.setup.device.location}
        value={chosen}
        choices={[["", texts.settings.none], ...places.map(({ id, name }) => [id, name] as const)]}
        onChoose={choose}
      />
      <Outcome task={task} done={texts.saved} />
    </div>
  );
}
