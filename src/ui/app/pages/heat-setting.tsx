import { useEffect, useState } from "preact/hooks";
import { useRight } from "../context.ts";
import { degrees } from "../format.ts";
import { assetPath, isCapable, type KnownAsset } from "../live/assets.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import type { EnergyDeviceState } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { ModeOf } from "./charging.tsx";
import { command } from "./command.ts";

const EACH_MS = 4_000;

const ACTIONS = "/hvacs/actions";

/** How a heating unit takes surplus; nothing where it can take no more than it does by itself. */
export function HeatMode({ asset }: { readonly asset: KnownAsset }) {
  const { texts, code } = useLanguage();
  const [cannot, setCannot] = useState(false);
  const path = `/local/energy/devices/${asset.id}?language=${code}`;
  const { value: device, error, refresh } = usePolled<EnergyDeviceState>(cannot ? null : path, EACH_MS);
  // What cannot have a mode is asked again when it has been away, because it may have another firmware then.
  useEffect(() => setCannot(error?.status === 404), [error]);
  useEffect(() => setCannot(false), [asset.isReachable]);
  if (device === null) return null;
  return (
    <section class="card k-heat" aria-labelledby="h-heat-mode">
      <header>
        <h2 id="h-heat-mode">{texts.heat.mode}</h2>
      </header>
      <div class="stack">
        <ModeOf device={device} onChange={refresh} />
      </div>
    </section>
  );
}

/** The temperature of a heating unit: held, or by its own schedule. */
export function HeatSetting({ asset }: { readonly asset: KnownAsset }) {
  const { texts, code } = useLanguage();
  const { heat } = texts;
  const mayCommand = useRight("command");
  const task = useTask();
  const { heatSetpoint = null, holdType } = asset.thermostatState ?? {};
  const [setpoint, setSetpoint] = useState(() => String(heatSetpoint ?? 21));
  const { min = 5, max = 35 } = rangeOf(asset);
  const hold = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = { mode: "HEAT", heatSetpoint: Number(setpoint) };
    task.run(() => command(`${assetPath(asset)}/permanent-hold`, body, ACTIONS, heat.failed));
  };
  const follow = (): void =>
    task.run(() => command(`${assetPath(asset)}/follow-schedule`, undefined, ACTIONS, heat.failed));
  return (
    <section class="card k-heat" aria-labelledby="h-heat">
      <header>
        <h2 id="h-heat">{heat.target}</h2>
        <span class="v s">{heatSetpoint === null ? "–" : degrees(heatSetpoint, code)}</span>
      </header>
      <form class="form" onSubmit={hold}>
        {holdType === "PERMANENT" ? <p class="small second">{heat.hold}</p> : null}
        {holdType === "SCHEDULED" ? <p class="small second">{heat.schedule}</p> : null}
        {mayCommand && isCapable(asset, "setPermanentHold") ? (
          <>
            <Field
              label={`${heat.target}, °C`}
              type="number"
              min={min}
              max={max}
              step={0.5}
              required
              value={setpoint}
              onText={setSetpoint}
            />
            <Button type="submit" kind="p s" task={task}>
              {heat.setHold}
            </Button>
          </>
        ) : null}
        {mayCommand && isCapable(asset, "setFollowSchedule") && holdType === "PERMANENT" ? (
          <Button kind="s" task={task} onClick={follow}>
            {heat.followSchedule}
          </Button>
        ) : null}
        <Outcome task={task} done={texts.saved} />
      </form>
    </section>
  );
}

function rangeOf({ capabilities }: KnownAsset): { readonly min?: number; readonly max?: number } {
  const range = capabilities?.["heatSetpointRange"];
  return typeof range === "object" && range !== null ? (range as { min?: number; max?: number }) : {};
}
