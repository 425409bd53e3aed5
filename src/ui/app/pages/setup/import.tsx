/** A house from a file: what its import would do, how far it is, and how it ended. */
import { useState } from "preact/hooks";
import type {
  SetupFileMistake,
  SetupImport,
  SetupImportPreview,
  SetupImportStep,
  SetupImportTask,
} from "../../../../domain/setup/setup-import.ts";
import { ApiError, ask } from "../../api.ts";
import { errorText, issueWord } from "../../error-text.ts";
import { Button, Outcome, useTask } from "../../parts/form.tsx";
import { TaskPage } from "../../parts/task-page.tsx";
import { type Texts, useLanguage } from "../../texts.ts";
import { refusalText } from "../refusals.ts";

const URL = "/local/setup/import";

export function ImportPage() {
  const { texts } = useLanguage();
  const words = texts.setup.import;
  return (
    <>
      <p class="small">
        <a href="#/setup">{texts.setup.overview}</a>
      </p>
      <TaskPage<SetupImport> url={URL} title={words.title} lead={words.lead} right="install" refusal={texts.notAllowed}>
        {({ task }, { refresh }) => (
          <div class="stack narrow">
            {task?.state === "running" ? null : <FileCard onChange={refresh} />}
            {task === null ? null : <TaskCard task={task} onChange={refresh} />}
          </div>
        )}
      </TaskPage>
    </>
  );
}

interface ChangeProps {
  readonly onChange: () => void;
}

interface Chosen {
  readonly text: string;
  readonly preview: SetupImportPreview;
}

/** The file is read by the browser, checked by the gateway, and kept by neither. */
function FileCard({ onChange }: ChangeProps) {
  const { texts } = useLanguage();
  const words = texts.setup.import;
  const [name, setName] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const task = useTask({ 409: words.busy, 413: words.tooLong });
  const choose = (file: File | undefined): void => {
    setChosen(null);
    setName(file?.name ?? null);
    if (file === undefined) return;
    task.run(async () => {
      const text = await file.text();
      setChosen({ text, preview: await ask<SetupImportPreview>("POST", `${URL}/preview`, { text }) });
    });
  };
  const begin = (text: string): void =>
    task.run(async () => {
      await ask("POST", URL, { text });
      setChosen(null);
      onChange();
    });
  const { mistakes, steps } = chosen?.preview ?? { mistakes: [], steps: [] };
  return (
    <section class="card" aria-labelledby="h-file">
      <header>
        <h2 id="h-file">{words.file}</h2>
      </header>
      <div class="stack">
        <label class="b">
          {words.choose}
          <input
            class="sr"
            type="file"
            accept=".yaml,.yml,.json"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </label>
        <p class="hint">{words.secret}</p>
        {name === null ? null : <p class="t long">{name}</p>}
        {mistakes.length === 0 ? null : <Mistakes mistakes={mistakes} />}
        {steps.length === 0 ? null : (
          <>
            <p>{words.would}</p>
            <Steps steps={steps} />
          </>
        )}
        {chosen === null || mistakes.length > 0 ? null : (
          <Button kind="p" task={task} isDisabled={steps.length === 0} onClick={() => begin(chosen.text)}>
            {words.begin}
          </Button>
        )}
        {chosen !== null && mistakes.length === 0 && steps.length === 0 ? <p class="error">{words.nothing}</p> : null}
        <Outcome task={task} />
      </div>
    </section>
  );
}

function Mistakes({ mistakes }: { readonly mistakes: readonly SetupFileMistake[] }) {
  const { texts } = useLanguage();
  const words = texts.setup.import;
  const sentenceOf = ({ code }: SetupFileMistake): string =>
    refusalText(code, texts) ??
    (Object.hasOwn(words.mistakes, code)
      ? words.mistakes[code as keyof typeof words.mistakes]
      : issueWord(code, texts.errors));
  return (
    <div class="stack" role="alert">
      <p class="error">{words.wrong}</p>
      <ul class="lines">
        {mistakes.map((mistake) => (
          <li key={`${mistake.line} ${mistake.path.join(".")} ${mistake.message}`}>
            <b>{words.line(mistake.line)}</b> {mistake.path.join(".")}
            <br />
            {sentenceOf(mistake)}{" "}
            <span class="second" lang="en">
              {mistake.message}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function TaskCard({ task, onChange }: ChangeProps & { readonly task: SetupImportTask }) {
  const { texts, code } = useLanguage();
  const words = texts.setup.import;
  const { state, by, startedAt, steps } = task;
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "short" });
  const stopping = useTask({ 404: words.states.done });
  const stop = (): void => stopping.run(() => ask("DELETE", URL).finally(onChange));
  return (
    <section class="card" aria-labelledby="h-task">
      <header>
        <h2 id="h-task">{words.progress}</h2>
      </header>
      <div class="stack">
        <p class="small second">{words.by(by, time.format(Date.parse(startedAt)))}</p>
        <p class={state === "failed" || state === "interrupted" ? "error" : ""} role="status">
          {words.states[state]}
        </p>
        <Steps steps={steps} />
        {state === "running" ? (
          <>
            <p class="small second">{words.leave}</p>
            <div class="acts">
              <Button kind="q s" task={stopping} onClick={stop}>
                {words.stop}
              </Button>
            </div>
            <Outcome task={stopping} />
          </>
        ) : null}
      </div>
    </section>
  );
}

function Steps({ steps }: { readonly steps: readonly SetupImportStep[] }) {
  const { texts } = useLanguage();
  const words = texts.setup.import;
  return (
    <ol class="list">
      {steps.map((step) => {
        const { kind, name, state, values, results, failure } = step;
        const details = Object.entries(values).map(([key, value]) => valueText(key, value, texts));
        return (
          <li
            class="row between"
            key={`${kind} ${name}`}
            {...(state === "running" ? { "aria-current": "step" as const } : {})}
          >
            <span>
              <span class="t">{titleOf(step, texts)}</span>
              {details.length === 0 ? null : <p class="small second long">{details.join(" · ")}</p>}
              {results.map((result) => (
                <Result key={`${result.name} ${result.outcome}`} result={result} />
              ))}
              {failure === null ? null : <Failure failure={failure} />}
            </span>
            <span class="small second">{words.stepStates[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** What is done, with the name of the device, the person, or the step of the setup that is left out. */
function titleOf({ kind, name }: SetupImportStep, { setup }: Texts): string {
  const { steps } = setup.import;
  if (kind !== "leave-out") return [steps[kind], name].filter((word) => word !== null).join(": ");
  return `${steps[kind]}: ${setup.steps[name as keyof typeof setup.steps]}`;
}

/** Keys are those of the file, but where the page has a word for them. */
function valueText(key: string, value: string, { house, setup }: Texts): string {
  switch (key) {
    case "fuseA":
      return `${house.fuse}: ${value}`;
    case "phases":
      return `${house.phases}: ${value}`;
    case "importKw":
      return `${house.importLimit}: ${value}`;
    case "feedInKw":
      return `${house.feedIn}: ${value}`;
    case "role":
      return house.roles[value as keyof typeof house.roles];
    case "set":
      return `${setup.import.settings}: ${value}`;
    case "confirm":
      return `${setup.import.confirmed}: ${value}`;
    case "host":
    case "brand":
    case "reason":
    case "note":
      return value;
    default:
      return `${key}: ${value}`;
  }
}

function Result({
  result: { name, outcome, reason, detail },
}: {
  readonly result: SetupImportStep["results"][number];
}) {
  const { setup } = useLanguage().texts;
  const { refusals, causes } = setup.tests;
  const known = { ...refusals, ...causes };
  const why = reason !== null && Object.hasOwn(known, reason) ? known[reason as keyof typeof known] : null;
  return (
    <p class="small">
      {setup.import.outcomes[outcome]}: {name}
      {why === null ? null : `. ${why}`}
      {detail === null || why !== null || outcome === "added" ? null : (
        <span class="second" lang="en">
          {" "}
          ({detail})
        </span>
      )}
    </p>
  );
}

function Failure({ failure }: { readonly failure: NonNullable<SetupImportStep["failure"]> }) {
  const { texts } = useLanguage();
  const { failures } = texts.setup.import;
  const { code, status, detail, issues } = failure;
  const [issue] = issues;
  const said = issue === undefined ? null : refusalText(issue.code, texts);
  if (code === "refused") {
    return <p class="error">{said ?? errorText(new ApiError(status, detail, issues), texts)}</p>;
  }
  return (
    <p class="error">
      {failures[code]} <span lang="en">{detail}</span>
    </p>
  );
}
