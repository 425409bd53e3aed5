/** On how many phases a charger charges its car: for cars that must not have their phases changed. */
import { ask } from "../api.ts";
import { useRight } from "../context.ts";
import { Choice, Outcome, useChosen, useTask } from "../parts/form.tsx";
import type { EnergyDeviceState } from "../shapes.ts";
import { useLanguage } from "../texts.ts";

const VALUES = [
  { name: "auto", phases: null },
  { name: "one", phases: 1 },
  { name: "three", phases: 3 },
] as const;

interface PhasesSettingProps {
  readonly device: EnergyDeviceState;
  readonly onChange: () => void;
}

export function PhasesSetting({ device, onChange }: PhasesSettingProps) {
  const { phases: words } = useLanguage().texts.setup.device;
  const mayCommand = useRight("command");
  const task = useTask();
  const [shown, show] = useChosen(device.policy?.phases ?? null, task.isBusy);
  if (!device.canSwitchPhases || device.policy === null) return null;
  const choose = (name: (typeof VALUES)[number]["name"]): void => {
    const phases = VALUES.find((each) => each.name === name)?.phases ?? null;
    show(phases);
    task.run(() => ask("PUT", `/local/energy/devices/${device.id}`, { phases }).finally(onChange));
  };
  return (
    <>
      <h3>{words.title}</h3>
      <Choice
        legend={words.title}
        name={`phases-${device.id}`}
        value={VALUES.find(({ phases }) => phases === shown)?.name ?? null}
        isLow
        isDisabled={!mayCommand || task.isBusy}
        onChoose={choose}
        choices={VALUES.map(({ name }) => ({ value: name, label: words[name] }))}
      />
      <p class="small second">{words.hint}</p>
      <Outcome task={task} />
    </>
  );
}
