/** Which device hangs on which phase and behind which fuse: the parts of `/local/site` that name devices. */
import { usePage } from "../../context.ts";
import { waitText } from "../../error-text.ts";
import { nameOf } from "../../live/assets.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Field, Outcome } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { type Circuit, PHASES, type Setting, type Site, type Unmetered, useWiringForm } from "./use-wiring.tsx";

interface WiredDevice {
  readonly id: string;
  readonly name: string;
  readonly hasMeter: boolean;
}

function useDevices(): readonly WiredDevice[] | null {
  const { house } = usePage();
  const { value } = usePolled<
    readonly {
      readonly deviceId: string;
      readonly assets: readonly { readonly assetType: string; readonly assetId: string }[];
    }[]
  >("/local/devices", 0);
  if (value === null) return null;
  // A car hangs on the phases of its charger.
  const wired = value.filter(({ assets }) => assets.some(({ assetType }) => assetType !== "vehicle"));
  return wired.map(({ deviceId, assets }) => {
    const known = house.assets.find(({ id }) => assets.some(({ assetId }) => assetId === id));
    const hasMeter = assets.some(({ assetType }) => assetType === "meter");
    return { id: deviceId, name: known === undefined ? deviceId : nameOf(known), hasMeter };
  });
}

export function FusesPage() {
  const { texts, code } = useLanguage();
  const { fuses } = texts.settings;
  const site = usePolled<Site>(`/local/site?language=${code}`, 0);
  const devices = useDevices();
  if (site.value === null || devices === null) {
    return <p class="lead">{waitText(site.error, texts)}</p>;
  }
  return (
    <>
      <div class="lead">
        <h1>{texts.settings.pages.fuses}</h1>
        <p>{fuses.lead}</p>
      </div>
      <FusesForm site={site.value} devices={devices} onDone={site.refresh} />
    </>
  );
}

interface FormProps {
  readonly site: Site;
  readonly devices: readonly WiredDevice[];
  readonly onDone: () => void;
}

function FusesForm({ site, devices, onDone }: FormProps) {
  const { texts } = useLanguage();
  const { fuses } = texts.settings;
  const { wiring, isChanged, isFixed, change, setPhases, task, submit } = useWiringForm(site, onDone);
  const { gridMeter, phasesOf, circuits, unmetered } = wiring;
  const part = (name: Setting, title: string, hint: string, content: preact.ComponentChildren) => (
    <fieldset class="form" disabled={isFixed(name)}>
      <legend class="lab">{title}</legend>
      <p class="hint">{isFixed(name) ? texts.settings.origin.file(`site.connection.${name}`) : hint}</p>
      {content}
    </fieldset>
  );
  return (
    <form class="card form" onSubmit={submit}>
      {part(
        "gridMeter",
        fuses.gridMeter,
        fuses.gridMeterHint,
        <Select
          label={fuses.device}
          value={gridMeter ?? ""}
          choices={[["", fuses.automatic], ...namesOf(devices.filter(({ hasMeter }) => hasMeter))]}
          onChoose={(id) => change({ gridMeter: id === "" ? null : id })}
        />,
      )}
      {part(
        "phasesOf",
        fuses.phases,
        fuses.phasesHint,
        <div class="pair">
          {devices.map(({ id, name }) => {
            const now = phasesOf?.[id]?.join(" ") ?? "";
            const others = PHASES.includes(now) || now === "" ? PHASES : [now, ...PHASES];
            return (
              <Select
                key={id}
                label={name}
                value={now}
                choices={[["", fuses.usual], ...others.map((each) => [each, each] as const)]}
                onChoose={(chosen) => setPhases(id, chosen)}
              />
            );
          })}
        </div>,
      )}
      {part(
        "circuits",
        fuses.circuits,
        fuses.circuitsHint,
        <Circuits
          circuits={circuits ?? []}
          devices={devices}
          onChange={(all) => change({ circuits: all.length === 0 ? null : all })}
        />,
      )}
      {part(
        "unmetered",
        fuses.unmetered,
        fuses.unmeteredHint,
        <Loads loads={unmetered ?? []} onChange={(all) => change({ unmetered: all.length === 0 ? null : all })} />,
      )}
      {site.warnings.map(({ message }) => (
        <p class="small second" key={message}>
          {message}
        </p>
      ))}
      <p class="hint">{texts.house.enforced}</p>
      <Button type="submit" kind="p" task={task} isDisabled={!isChanged}>
        {task.isBusy ? texts.saving : texts.save}
      </Button>
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}

function namesOf(devices: readonly WiredDevice[]): readonly (readonly [string, string])[] {
  return devices.map(({ id, name }) => [id, name]);
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
  readonly isDisabled?: boolean;
}

export function Select({ label, value, choices, onChoose, isDisabled = false }: SelectProps) {
  // A device that is away or was removed stays the choice until somebody makes another one.
  const all = choices.some(([each]) => each === value) ? choices : [...choices, [value, value] as const];
  return (
    <label class="field">
      <span>{label}</span>
      <select class="in" disabled={isDisabled} onChange={(event) => onChoose(event.currentTarget.value)}>
        {all.map(([each, name]) => (
          <option key={each} value={each} selected={each === value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CircuitsProps {
  readonly circuits: readonly Circuit[];
  readonly devices: readonly WiredDevice[];
  readonly onChange: (circuits: readonly Circuit[]) => void;
}

function Circuits({ circuits, devices, onChange }: CircuitsProps) {
  const { texts } = useLanguage();
  const { fuses } = texts.settings;
  const titleOf = ({ id, name }: Circuit): string => name ?? id;
  const change = (index: number, part: { readonly [Name in keyof Circuit]?: Circuit[Name] | undefined }): void =>
    onChange(circuits.map((circuit, at) => (at === index ? defined({ ...circuit, ...part }) : circuit)));
  const remove = (index: number): void => {
    const gone = circuits[index]?.id;
    const rest = circuits.filter((_circuit, at) => at !== index);
    onChange(rest.map((circuit) => (circuit.parent === gone ? defined({ ...circuit, parent: undefined }) : circuit)));
  };
  return (
    <>
      {circuits.map((circuit, index) => (
        <fieldset class="group" key={circuit.id}>
          <legend class="lab">{titleOf(circuit)}</legend>
          <div class="pair">
            <Field label={fuses.name} value={circuit.name ?? ""} onText={(name) => change(index, { name })} required />
            <Field
              label={fuses.fuse}
              type="number"
              min={1}
              max={2_000}
              step="any"
              value={String(circuit.fuseA ?? "")}
              onText={(text) => change(index, { fuseA: text === "" ? undefined : Number(text) })}
            />
            <Select
              label={fuses.behind}
              value={circuit.parent ?? ""}
              choices={[
                ["", fuses.mainFuse],
                ...circuits.filter(({ id }) => id !== circuit.id).map((each) => [each.id, titleOf(each)] as const),
              ]}
              onChoose={(id) => change(index, { parent: id === "" ? undefined : id })}
            />
            <Select
              label={fuses.meter}
              value={circuit.meter ?? ""}
              choices={[["", texts.settings.none], ...namesOf(devices.filter(({ hasMeter }) => hasMeter))]}
              onChoose={(id) => change(index, { meter: id === "" ? undefined : id })}
            />
          </div>
          <Members circuit={circuit} devices={devices} onChange={(members) => change(index, { members })} />
          <Button kind="q s" onClick={() => remove(index)}>
            {texts.remove}
            <span class="sr"> {titleOf(circuit)}</span>
          </Button>
        </fieldset>
      ))}
      <Button
        kind="s"
        onClick={() => onChange([...circuits, { id: freeId(circuits), name: fuses.circuit(circuits.length + 1) }])}
      >
        {fuses.addCircuit}
      </Button>
    </>
  );
}

interface MembersProps {
  readonly circuit: Circuit;
  readonly devices: readonly WiredDevice[];
  readonly onChange: (members: readonly string[]) => void;
}

function Members({ circuit: { members = [] }, devices, onChange }: MembersProps) {
  const { texts } = useLanguage();
  return (
    <fieldset class="form">
      <legend class="lab">{texts.settings.fuses.members}</legend>
      {devices.map(({ id, name }) => (
        <label class="row" key={id}>
          <input
            type="checkbox"
            checked={members.includes(id)}
            onChange={(event) => {
              const others = members.filter((member) => member !== id);
              onChange(event.currentTarget.checked ? [...others, id] : others);
            }}
          />
          <span class="small">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface LoadsProps {
  readonly loads: readonly Unmetered[];
  readonly onChange: (loads: readonly Unmetered[]) => void;
}

function Loads({ loads, onChange }: LoadsProps) {
  const { texts } = useLanguage();
  const { fuses } = texts.settings;
  const change = (index: number, part: Partial<Unmetered>): void =>
    onChange(loads.map((load, at) => (at === index ? { ...load, ...part } : load)));
  return (
    <>
      {loads.map(({ name, maxA }, index) => (
        <div class="group" key={index}>
          <div class="pair">
            <Field label={fuses.name} value={name} onText={(text) => change(index, { name: text })} required />
            <Field
              label={fuses.current}
              type="number"
              min={1}
              max={2_000}
              step="any"
              required
              value={String(maxA)}
              onText={(text) => change(index, { maxA: Number(text) })}
            />
          </div>
          <Button kind="q s" onClick={() => onChange(loads.filter((_load, at) => at !== index))}>
            {texts.remove}
            <span class="sr"> {name}</span>
          </Button>
        </div>
      ))}
      <Button kind="s" onClick={() => onChange([...loads, { name: fuses.load, maxA: 16 }])}>
        {fuses.addLoad}
      </Button>
    </>
  );
}

/** Returns the circuit without what was taken away. */
function defined(circuit: { readonly [Name in keyof Circuit]?: Circuit[Name] | undefined }): Circuit {
  return Object.fromEntries(Object.entries(circuit).filter(([, value]) => value !== undefined)) as unknown as Circuit;
}

function freeId(circuits: readonly Circuit[]): string {
  const isTaken = (id: string): boolean => circuits.some((circuit) => circuit.id === id);
  let number = circuits.length + 1;
  while (isTaken(`circuit-${number}`)) number += 1;
  return `circuit-${number}`;
}
