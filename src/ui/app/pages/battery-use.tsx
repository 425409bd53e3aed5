/** How the house uses its batteries: whether they are planned by price, and between which states of charge. */
import { useState } from "preact/hooks";
import type { BatteryUseSettings } from "../../../domain/energy/energy-policy.ts";
import { ask } from "../api.ts";
import { useRight } from "../context.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { useLanguage } from "../texts.ts";

const URL = "/local/energy/battery-use";

type Change = Partial<BatteryUseSettings>;
type Limit = "minSoc" | "maxSoc" | "priorityBelow";

interface BatteryUseProps {
  readonly onChange?: () => void;
}

export function BatteryUse({ onChange }: BatteryUseProps) {
  const { texts } = useLanguage();
  const { battery, plan } = texts;
  const mayCommand = useRight("command");
  const use = usePolled<BatteryUseSettings>(URL, 0);
  const task = useTask();
  const { value } = use;
  if (value === null) return null;
  const set = (change: Change): void =>
    task.run(async () => {
      await ask("PUT", URL, change);
      use.refresh();
      onChange?.();
    });
  const switches = [
    ["isPlanned", plan.planBattery],
    ["mayChargeFromGrid", plan.fromGrid],
    ["mayDischargeToGrid", plan.toGrid],
    ["holdWhileFast", battery.hold],
  ] as const;
  return (
    <section class="card k-battery" aria-labelledby="h-use">
      <header>
        <h2 id="h-use">{battery.use}</h2>
      </header>
      <div class="stack">
        {switches.map(([name, label]) => (
          <label class="row between" key={name}>
            <span>{label}</span>
            <input
              class="sw"
              type="checkbox"
              checked={value[name]}
              disabled={!mayCommand || task.isBusy}
              onChange={(event) => set({ [name]: event.currentTarget.checked })}
            />
          </label>
        ))}
        <Outcome task={task} done={texts.saved} />
        <Limits key={JSON.stringify(value)} use={value} onChange={use.refresh} />
      </div>
    </section>
  );
}

/** The states of charge that the plan keeps to. */
function Limits({ use, onChange }: { readonly use: BatteryUseSettings; readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { battery } = texts;
  const mayCommand = useRight("command");
  const [changes, setChanges] = useState<Readonly<Partial<Record<Limit, string>>>>({});
  const task = useTask();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, Number(text)]));
    task.run(() => ask("PUT", URL, body).then(onChange));
  };
  const written = (name: Limit): number => Number(changes[name] ?? use[name]);
  const fields = [
    ["minSoc", battery.minSoc, battery.minSocHint, { min: 0, max: written("maxSoc") - 1 }],
    ["maxSoc", battery.maxSoc, battery.maxSocHint, { min: written("minSoc") + 1, max: 100 }],
    ["priorityBelow", battery.first, battery.firstHint, { min: 0, max: 100 }],
  ] as const;
  return (
    <form class="form" onSubmit={submit}>
      {fields.map(([name, label, hint, limits]) => (
        <Field
          key={name}
          label={label}
          hint={hint}
          type="number"
          step={1}
          required
          disabled={!mayCommand}
          value={changes[name] ?? String(use[name])}
          onText={(text) => setChanges({ ...changes, [name]: text })}
          {...limits}
        />
      ))}
      {mayCommand ? (
        <Button type="submit" kind="s" task={task} isDisabled={Object.keys(changes).length === 0}>
          {task.isBusy ? texts.saving : texts.save}
        </Button>
      ) : null}
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}
