/** What a planned charge has to reach, and by when: once, or on days of the week. */
import { useState } from "preact/hooks";
import { ask } from "../api.ts";
import { usePage, useRight } from "../context.ts";
import { day } from "../format.ts";
import { Days } from "../parts/days.tsx";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import type { EnergyDeviceState } from "../shapes.ts";
import { useLanguage } from "../texts.ts";
import { type Target, targetOf, timeOf } from "./charge-target.ts";

interface TargetFormProps {
  readonly device: EnergyDeviceState;
  /** True if the device tells its state of charge; otherwise energy is asked for. */
  readonly hasLevel: boolean;
  readonly onChange: () => void;
}

export function TargetForm({ device, hasLevel, onChange }: TargetFormProps) {
  const { texts, code } = useLanguage();
  const { charging } = texts;
  const { nowMs } = usePage();
  const mayCommand = useRight("command");
  const target = device.policy?.target ?? null;
  // A target of another client may be an energy although the level is known, and the other way round.
  const isLevel = target === null ? hasLevel : target.soc !== null;
  const [amount, setAmount] = useState(() => String(target?.soc ?? target?.energyKwh ?? (hasLevel ? 80 : 20)));
  const [time, setTime] = useState(() => timeOf(target));
  const [days, setDays] = useState<readonly number[]>(() => (target?.kind === "WEEKLY" ? target.weekdays : []));
  const by = target?.kind === "ONCE" && time === timeOf(target) ? target.by : null;
  const once = by === null ? charging.once : `${charging.once} · ${day(Date.parse(by), code)}`;
  const task = useTask();
  const put = (next: Target | null): void =>
    task.run(() => ask("PUT", `/local/energy/devices/${device.id}`, { target: next }).finally(onChange));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    put(targetOf({ amount: Number(amount), time, by, days, isLevel, nowMs }));
  };
  return (
    <form class="form" onSubmit={submit}>
      {target === null ? <p class="small second">{charging.noTarget}</p> : null}
      <Field
        label={isLevel ? `${charging.target}, %` : `${charging.energyTarget}, kWh`}
        type="number"
        min={isLevel ? 1 : 0.1}
        max={isLevel ? 100 : 500}
        step="any"
        required
        value={amount}
        onText={setAmount}
      />
      <Field label={charging.by} type="time" required value={time} onText={setTime} />
      <Days legend={charging.days} days={days} onChange={setDays} hint={days.length === 0 ? once : ""} />
      {mayCommand ? (
        <div class="acts">
          <Button type="submit" kind="p s" task={task}>
            {charging.setTarget}
          </Button>
          {target === null ? null : (
            <Button kind="s" task={task} onClick={() => put(null)}>
              {charging.removeTarget}
            </Button>
          )}
        </div>
      ) : null}
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}
