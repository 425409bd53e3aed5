/** What is in the network, with the proof of what it is; one tap adds it. */
import { useEffect, useState } from "preact/hooks";
import { ApiError, ask, PageError } from "../api.ts";
import { useRight } from "../context.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { Icon } from "../parts/icons.tsx";
import { type Texts, useLanguage } from "../texts.ts";
import { LinkButton } from "./link-button.tsx";
import { refusalText } from "./refusals.ts";

interface Found {
  readonly id: string;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly name: string | null;
  readonly serial: string | null;
  readonly kinds: readonly ("battery" | "charger" | "hvac" | "inverter" | "meter" | "vehicle")[];
  readonly address: string | null;
  readonly confidence: number;
  readonly proof: string | null;
  /** What it asks for: `localApi` is switched on in the maker's app. */
  readonly needs: readonly string[];
  readonly isAddable: boolean;
  readonly knownAs: string | null;
}

interface Search {
  readonly isSearching: boolean;
  readonly startedAt: string | null;
  readonly hostsAsked: number;
  readonly hostsDone: number;
  readonly devices: readonly Found[];
}

interface SetupField {
  readonly name: string;
  readonly label: string | null;
  readonly hint: string | null;
  readonly initial: string | null;
  readonly isRequired: boolean;
  readonly kind: string;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
}

const KINDS = ["inverter", "battery", "meter", "charger", "hvac", "vehicle"] as const;
const EACH_MS = 2_000;
/** Below this a person is asked whether it is the right device. */
const SURE = 0.8;

export function AddPage() {
  const { texts } = useLanguage();
  const mayInstall = useRight("install");
  if (!mayInstall) return <p class="lead">{texts.notAllowed}</p>;
  return (
    <>
      <div class="lead">
        <h1>{texts.add.title}</h1>
        <p>{texts.add.lead}</p>
      </div>
      <NetworkSearch />
    </>
  );
}

interface NetworkSearchProps {
  /** It searches by itself, and adds with one tap what is sure and asks nothing. */
  readonly isGuided?: boolean;
  readonly onChange?: () => void;
}

/** What the search has found, with a button to search and one at each device. */
export function NetworkSearch({ isGuided = false, onChange }: NetworkSearchProps) {
  const { texts, code } = useLanguage();
  const search = usePolled<Search>(`/local/discovery?language=${code}`, EACH_MS);
  const task = useTask();
  const adding = useTask();
  const { isSearching = false, hostsAsked = 0, hostsDone = 0, devices = [] } = search.value ?? {};
  const begin = (): void =>
    task.run(() => ask("POST", "/local/discovery", { isActive: true }).finally(search.refresh), {
      409: texts.errors.searching,
    });
  const isUnsearched = isGuided && search.value !== null && search.value.startedAt === null;
  useEffect(() => {
    if (isUnsearched) begin();
  }, [isUnsearched]);
  const changed = (): void => {
    search.refresh();
    onChange?.();
  };
  const sure = devices.filter(
    ({ isAddable, needs, knownAs, confidence }) =>
      isAddable && needs.length === 0 && knownAs === null && confidence >= SURE,
  );
  // The guide has its own list of what is connected.
  const shown = isGuided ? devices.filter(({ knownAs }) => knownAs === null) : devices;
  const addAll = (): void => adding.run(() => adoptAll(sure).finally(changed), { 409: texts.errors.known });
  return (
    <div class="stack">
      {isGuided && (sure.length > 0 || adding.isBusy) ? (
        <Button kind="p full" task={adding} onClick={addAll}>
          {adding.isBusy ? texts.add.adding : texts.setup.devices.addAll(sure.length)}
        </Button>
      ) : null}
      <Outcome task={adding} />
      <div class="acts">
        <Button kind={isGuided ? "s" : "p"} task={task} isDisabled={isSearching} onClick={begin}>
          {texts.add.search}
        </Button>
      </div>
      <p role="status" class="small second">
        {isSearching ? texts.add.searching(hostsDone, hostsAsked) : devices.length === 0 ? texts.add.none : ""}
      </p>
      <Outcome task={task} />
      {grouped(shown).map(([maker, found]) => (
        <section class="card" key={maker} aria-label={maker || texts.unknown}>
          {maker === "" ? null : (
            <header>
              <h2>{maker}</h2>
            </header>
          )}
          <ul class="list">
            {found.map((device) => (
              <FoundDevice key={device.id} device={device} onChange={changed} />
            ))}
          </ul>
        </section>
      ))}
      <section class="card" aria-labelledby="h-others">
        <header>
          <h2 id="h-others">{texts.add.others}</h2>
        </header>
        <div class="stack">
          <p class="small second">{texts.add.othersLead}</p>
          <div class="acts">
            {KINDS.map((kind) => (
              <LinkButton key={kind} kind={kind} label={texts.devices.kinds[kind]} />
            ))}
          </div>
        </div>
      </section>
    </div>
  );
}

/** Adds one after the other. What asks for something is left to its own line; one that fails keeps no other out. */
async function adoptAll(devices: readonly Found[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of devices) await adoptOne(id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function adoptOne(id: string): Promise<void> {
  const path = `/local/discovery/${encodeURIComponent(id)}`;
  const { fields } = await ask<{ fields: readonly SetupField[] }>("GET", `${path}/setup`);
  if (fields.some(({ isRequired }) => isRequired)) return;
  const answers = Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? ""]));
  await ask("POST", `${path}/adopt`, bodyOf(fields, answers));
}

/** By maker, those first of which most is known for sure. */
function grouped(devices: readonly Found[]): readonly (readonly [string, readonly Found[]])[] {
  return [...Map.groupBy(devices, ({ manufacturer }) => manufacturer ?? "")];
}

function FoundDevice({ device, onChange }: { readonly device: Found; readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const adoption = useAdoption(device, onChange);
  const { fields, task, proof, begin } = adoption;
  const { needs } = device;
  const isOpen = device.isAddable && device.knownAs === null;
  const isSwitchedOff = needs.includes("localApi");
  return (
    <li class="li">
      <span class="glyph">
        <Icon name="devices" />
      </span>
      <span>
        <span class="t">{device.name ?? device.model ?? texts.unknown}</span>
        <br />
        <span class="d">
          {[
            device.kinds.map((kind) => texts.devices.kinds[kind]).join(", "),
            device.name === null ? null : device.model,
            device.address,
            device.serial,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {device.proof === null ? null : <p class="small">{device.proof}</p>}
        {isOpen && needs.length > 0 ? (
          <>
            <p class="small second">{isSwitchedOff ? texts.add.switchOn : texts.add.secret}</p>
            {needs.includes("token") ? (
              <LinkButton kind={device.kinds[0] ?? "meter"} label={texts.add.byBrand} />
            ) : null}
          </>
        ) : null}
        {device.confidence < SURE && isOpen && needs.length === 0 ? (
          <p class="small second">{texts.add.unsure}</p>
        ) : null}
        {device.isAddable || device.knownAs !== null ? null : <p class="small second">{texts.add.cannot}</p>}
        {fields === null || (task.isDone === false && task.isBusy) ? null : (
          <SetupForm fields={fields} isDone={device.knownAs !== null} adoption={adoption} />
        )}
        {proof !== null && device.knownAs !== null ? (
          <p class="small second" role="status">
            {texts.add.addedWith(proof)}
          </p>
        ) : (
          <Outcome task={task} done={device.knownAs === null ? "" : texts.add.added} />
        )}
      </span>
      <span class="e">
        {device.knownAs !== null ? (
          <span class="badge">{texts.add.known}</span>
        ) : isOpen && !isSwitchedOff && fields === null ? (
          <Button kind="s" task={task} onClick={begin}>
            {task.isBusy ? texts.add.adding : texts.add.add}
          </Button>
        ) : null}
      </span>
    </li>
  );
}

type Adoption = ReturnType<typeof useAdoption>;

/** Adds a device: asks first for what it needs and for what its owner decides, and once more for what it refuses. */
function useAdoption({ id, needs }: Found, onChange: () => void) {
  const { texts, code } = useLanguage();
  const [fields, setFields] = useState<readonly SetupField[] | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const [proof, setProof] = useState<string | null>(null);
  const task = useTask({ 409: texts.errors.known });
  const path = `/local/discovery/${encodeURIComponent(id)}`;
  const adopt = async (answers: Answers, saveAnyway = false): Promise<void> => {
    const body = { ...bodyOf(fields ?? [], answers), ...(saveAnyway ? { saveAnyway } : {}) };
    try {
      const added = await ask<{ readonly proof: string | null }>("POST", `${path}/adopt?language=${code}`, body);
      setProof(added.proof);
    } catch (error) {
      const fault = faultOf(error, texts);
      if (fault === null) throw error;
      const [part, secret] = fault.path;
      setFields((before) => withSecrets(before ?? [], part === "options" ? [String(secret)] : [], texts));
      setIsRefused(true);
      throw new PageError(fault.text);
    }
    onChange();
  };
  const begin = (): void =>
    task.run(async () => {
      const setup = await ask<{ fields: readonly SetupField[] }>("GET", `${path}/setup?language=${code}`).catch(
        (error: unknown) => {
          const fault = faultOf(error, texts);
          if (fault === null) throw error;
          // It would be asked what it has; without an answer it can be added as it is.
          setFields(withSecrets([], needs, texts));
          setIsRefused(true);
          throw new PageError(fault.text);
        },
      );
      const all = withSecrets(setup.fields, needs, texts);
      if (all.length === 0) return await adopt({});
      setFields(all);
      return undefined;
    });
  return { fields, task, proof, isRefused, begin, adopt };
}

/** Returns why a device was not read, and what of the request is about it; `null` if the error is another one. */
function faultOf(
  error: unknown,
  texts: Texts,
): { readonly path: ApiError["issues"][number]["path"]; readonly text: string } | null {
  if (!(error instanceof ApiError)) return null;
  for (const { code, path } of error.issues) {
    const text = refusalText(code, texts);
    if (text !== null) return { path, text };
  }
  return null;
}

/** What lets us in is asked first. */
function withSecrets(fields: readonly SetupField[], names: readonly string[], { add }: Texts): readonly SetupField[] {
  const missing = names.filter((name) => !fields.some((field) => field.name === name));
  const secrets = missing.map((name) => ({
    name,
    label: Object.entries(add.secrets).find(([secret]) => secret === name)?.[1] ?? name,
    hint: null,
    initial: null,
    isRequired: true,
    kind: "secret",
  }));
  return [...secrets, ...fields];
}

type Answers = Readonly<Record<string, string>>;

interface SetupFormProps {
  readonly fields: readonly SetupField[];
  readonly isDone: boolean;
  readonly adoption: Pick<Adoption, "adopt" | "isRefused">;
}

function SetupForm({ fields, isDone, adoption }: SetupFormProps) {
  const { texts } = useLanguage();
  const [answers, setAnswers] = useState<Answers>(() =>
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial ?? ""])),
  );
  const task = useTask({ 409: texts.errors.known });
  if (isDone) return null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(() => adoption.adopt(answers));
  };
  return (
    <form class="form" onSubmit={submit}>
      {fields.length === 0 ? null : <p class="small second">{texts.add.needs}</p>}
      {fields.map(({ name, label, hint, kind, isRequired, min, max, unit }) =>
        kind === "check" || kind === "confirm" ? (
          <label class="row" key={name}>
            <input
              class="sw"
              type="checkbox"
              required={isRequired}
              onChange={(event) => setAnswers({ ...answers, [name]: event.currentTarget.checked ? "true" : "" })}
            />
            <span class="small">
              {label ?? name} {hint}
            </span>
          </label>
        ) : (
          <Field
            key={name}
            autoComplete="off"
            label={[label ?? name, unit].filter(Boolean).join(", ")}
            hint={hint ?? undefined}
            type={kind === "number" ? "number" : kind === "secret" || kind === "password" ? "password" : "text"}
            required={isRequired}
            step="any"
            {...(min === undefined ? {} : { min })}
            {...(max === undefined ? {} : { max })}
            value={answers[name] ?? ""}
            onText={(text) => setAnswers({ ...answers, [name]: text })}
          />
        ),
      )}
      <Button type="submit" kind="p s" task={task}>
        {task.isBusy ? texts.add.adding : texts.add.add}
      </Button>
      <Outcome task={task} done={texts.add.added} />
      {adoption.isRefused ? (
        <div class="stack">
          <p class="small second">{texts.add.anywayAbout}</p>
          <Button kind="q s" task={task} onClick={() => task.run(() => adoption.adopt(answers, true))}>
            {texts.add.anyway}
          </Button>
        </div>
      ) : null}
    </form>
  );
}

/** The answers in the places where the API wants them. */
function bodyOf(fields: readonly SetupField[], answers: Readonly<Record<string, string>>): object {
  const options: Record<string, string> = {};
  const settings: Record<string, number> = {};
  const body: Record<string, unknown> = {};
  for (const { name } of fields) {
    const answer = answers[name] ?? "";
    if (answer === "") continue;
    if (name.startsWith("settings.")) settings[name.slice("settings.".length)] = Number(answer);
    else if (name === "confirmUnverified" || name === "confirmNoFailsafe") body[name] = answer === "true";
    else options[name] = answer;
  }
  // Not every adapter has settings, and one without them refuses the word.
  return { ...body, options, ...(Object.keys(settings).length === 0 ? {} : { settings }) };
}
