/** Chargers and cars: how each is to charge, by when, and what decides about it now. */
import { ask } from "../api.ts";
import { usePage, useRight } from "../context.ts";
import { percent, power } from "../format.ts";
import { type KnownAsset, nameOf, powerOf, readAt } from "../live/assets.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Choice, Outcome, useChosen, useTask } from "../parts/form.tsx";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Fresh, freshness, Labelled, Value } from "../parts/value.tsx";
import type { EnergyDeviceState, EnergyPlanView, EnergyState } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { ChargeSessions } from "./charge-sessions.tsx";
import { DevicePlan, usePlan } from "./device-plan.tsx";
import { PhasesSetting } from "./phases-setting.tsx";
import { TargetForm } from "./target-form.tsx";

type Mode = NonNullable<EnergyDeviceState["policy"]>["mode"];

const EACH_MS = 4_000;
const MODES: readonly { readonly mode: Mode; readonly icon: IconName }[] = [
  { mode: "OFF", icon: "off" },
  { mode: "SURPLUS", icon: "leaf" },
  { mode: "MIN_SURPLUS", icon: "plus" },
  { mode: "PLANNED", icon: "clock" },
  { mode: "FAST", icon: "bolt" },
];

export function ChargingPage() {
  const { texts, code } = useLanguage();
  const { house } = usePage();
  const state = usePolled<EnergyState>(`/local/energy?language=${code}`, EACH_MS);
  const plan = usePlan();
  const refresh = (): void => {
    state.refresh();
    plan.refresh();
  };
  const shown = house.assets.filter(({ kind }) => kind === "charger" || kind === "vehicle");
  return (
    <>
      <div class="lead">
        <h1>{texts.charging.title}</h1>
        {house.lastEventAt !== null && shown.length === 0 ? <p>{texts.charging.none}</p> : null}
      </div>
      <div class="cols">
        {shown.map((asset) => (
          <ChargeCard
            key={asset.id}
            asset={asset}
            device={state.value?.devices.find(({ id }) => id === asset.id) ?? null}
            plan={plan.value}
            onChange={refresh}
          />
        ))}
      </div>
    </>
  );
}

interface CardProps {
  readonly asset: KnownAsset;
  /** `null` if the energy manager does not know it. */
  readonly device: EnergyDeviceState | null;
  /** `null` before it is known. */
  readonly plan: EnergyPlanView | null;
  readonly onChange: () => void;
}

function ChargeCard({ asset, device, plan, onChange }: CardProps) {
  const { texts, code } = useLanguage();
  const { nowMs } = usePage();
  const at = readAt(asset);
  const ageMs = at === null ? null : nowMs - at;
  const state = freshness(ageMs, asset.isReachable);
  const kw = powerOf(asset);
  const level = asset.chargeState?.batteryLevel ?? null;
  return (
    <section class="card c6 k-car" aria-labelledby={`h-${asset.id}`}>
      <header>
        <h2 id={`h-${asset.id}`}>{nameOf(asset)}</h2>
        <Fresh ageMs={ageMs} state={state} />
      </header>
      <div class="stack">
        <dl class="kvs">
          {kw === null ? null : (
            <Labelled label={texts.charging.power}>
              <Value quantity={state === "live" ? power(kw, code) : null} />
            </Labelled>
          )}
          {level === null ? null : (
            <Labelled label={texts.charging.level}>
              <span class="v">{percent(level, code)}</span>
            </Labelled>
          )}
        </dl>
        {level === null ? null : (
          <div class="bar" aria-hidden="true">
            <i style={{ width: `${Math.min(100, Math.max(0, level))}%` }} />
          </div>
        )}
        {device === null ? null : <ModeOf device={device} onChange={onChange} hasLevel={level !== null} />}
        <DevicePlan id={asset.id} plan={plan} />
        <ChargeSessions asset={asset} currency={plan?.currency ?? null} />
      </div>
    </section>
  );
}

interface ModeProps {
  readonly device: EnergyDeviceState;
  readonly onChange: () => void;
  /** Absent: it has no target, as what heats. */
  readonly hasLevel?: boolean;
}

/** The mode of the energy manager, and what it decides. */
export function ModeOf({ device, onChange, hasLevel }: ModeProps) {
  const { charging, heat } = useLanguage().texts;
  const words = device.deviceType === "hvac" ? heat : charging;
  const about = new Map<string, { readonly name: string; readonly about: string }>(Object.entries(words.modes));
  const mayCommand = useRight("command");
  const task = useTask();
  const [mode, showMode] = useChosen(device.policy?.mode ?? null, task.isBusy);
  const path = `/local/energy/devices/${device.id}`;
  const choose = (chosen: Mode): void => {
    showMode(chosen);
    task.run(() => ask("PUT", path, { mode: chosen }).finally(onChange));
  };
  return (
    <>
      <h3>{words.how}</h3>
      <Choice
        legend={words.how}
        name={`mode-${device.id}`}
        value={mode}
        isDisabled={!mayCommand || task.isBusy}
        onChoose={choose}
        choices={MODES.filter(({ mode: value }) => about.has(value)).map(({ mode: value, icon }) => ({
          value,
          label: (
            <>
              <Icon name={icon} />
              {about.get(value)?.name}
            </>
          ),
        }))}
      />
      <p class="small second">{mode === null ? words.nobody : about.get(mode)?.about}</p>
      <Outcome task={task} />
      {mode === "PLANNED" && hasLevel !== undefined ? (
        <TargetForm
          key={JSON.stringify(device.policy?.target ?? null)}
          device={device}
          hasLevel={hasLevel}
          onChange={onChange}
        />
      ) : null}
      <PhasesSetting device={device} onChange={onChange} />
      <Why device={device} />
      {device.policy !== null && mayCommand ? (
        <Button kind="q s" task={task} onClick={() => task.run(() => ask("DELETE", path).finally(onChange))}>
          {words.release}
        </Button>
      ) : null}
    </>
  );
}

function Why({ device }: { readonly device: EnergyDeviceState }) {
  const { charging } = useLanguage().texts;
  return (
    <dl class="about">
      <dt>{charging.inCharge}</dt>
      <dd>{charging.who[device.inCharge]}</dd>
      {device.reason === null ? null : (
        <>
          <dt>{charging.why}</dt>
          <dd>{device.reason.text}</dd>
        </>
      )}
      {device.isControlled || device.reason?.code === "takes-no-command" ? null : (
        <dd class="error">{charging.notControlled}</dd>
      )}
    </dl>
  );
}
