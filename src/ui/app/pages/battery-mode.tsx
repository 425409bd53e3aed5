import { useRight } from "../context.ts";
import { power, text } from "../format.ts";
import { assetPath, isCapable, type KnownAsset } from "../live/assets.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Outcome, useTask } from "../parts/form.tsx";
import type { EnergyState } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { command } from "./command.ts";

const EACH_MS = 4_000;
const MODES = [
  { mode: "SELF_RELIANCE", capability: "selfReliance" },
  { mode: "TIME_OF_USE", capability: "timeOfUse" },
  { mode: "IMPORT_FOCUS", capability: "importFocus" },
  { mode: "EXPORT_FOCUS", capability: "exportFocus" },
  { mode: "IDLE", capability: "idle" },
] as const;

/** What a battery does, and why, in words; a button for each other mode that it can have. */
export function BatteryMode({ asset }: { readonly asset: KnownAsset }) {
  const { texts, code } = useLanguage();
  const mayCommand = useRight("command");
  const task = useTask();
  const energy = usePolled<EnergyState>(`/local/energy?language=${code}`, EACH_MS).value;
  const { setpointKw = null, reason = null } = energy?.devices.find(({ id }) => id === asset.id) ?? {};
  const current = MODES.find(({ mode }) => mode === asset.config?.operationMode);
  const others = MODES.filter(({ mode, capability }) => mode !== current?.mode && isCapable(asset, capability));
  const set = (operationMode: string): void =>
    task.run(() =>
      command(`${assetPath(asset)}/operation-mode`, { operationMode }, "/batteries/actions", texts.battery.failed),
    );
  return (
    <section class="card k-battery" aria-labelledby="h-mode">
      <header>
        <h2 id="h-mode">{texts.battery.mode}</h2>
      </header>
      <div class="stack">
        <p>{current === undefined ? texts.unknown : texts.battery.modes[current.mode]}</p>
        {setpointKw === null ? null : (
          <p class="small second">{texts.battery.byManager(text(power(Math.abs(setpointKw), code)), setpointKw > 0)}</p>
        )}
        {reason === null || reason.code === "nothing-to-do" ? null : <p class="small second">{reason.text}</p>}
        {mayCommand
          ? others.map(({ mode }) => (
              <Button key={mode} kind="s" task={task} onClick={() => set(mode)}>
                {texts.battery.modes[mode]}
              </Button>
            ))
          : null}
        {task.isBusy ? <p class="small second">{texts.battery.asking}</p> : null}
        <Outcome task={task} done={texts.saved} />
      </div>
    </section>
  );
}
