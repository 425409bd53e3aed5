/** The programs that may use the API: their credentials, last use and version. */
import { useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { usePage, useRight } from "../../context.ts";
import { age } from "../../format.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { useConfiguration } from "./configuration.tsx";
import { SureButton } from "./sure.tsx";

interface Client {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly scopes: readonly string[];
  readonly lastUsedAt: string | null;
}

const SCOPES = ["energy:limits", "people:manage"] as const;
const EACH_MS = 30_000;

export function ProgramsPage() {
  const { texts } = useLanguage();
  const { settings } = texts;
  const mayManage = useRight("people");
  const clients = usePolled<readonly Client[]>(mayManage ? "/local/clients" : null, EACH_MS);
  const versions = useConfiguration().value?.apiVersions ?? [];
  return (
    <>
      <div class="lead">
        <h1>{settings.pages.programs}</h1>
        <p>{mayManage ? settings.programs.lead : settings.programs.ownersOnly}</p>
      </div>
      {mayManage ? (
        <div class="cols">
          <section class="card c7" aria-labelledby="h-programs">
            <header>
              <h2 id="h-programs">{settings.pages.programs}</h2>
            </header>
            {clients.value?.length === 0 ? <p class="second">{settings.programs.none}</p> : null}
            <ul class="list">
              {clients.value?.map((client) => (
                <li key={client.id}>
                  <Program client={client} versions={versions} onChange={clients.refresh} />
                </li>
              ))}
            </ul>
          </section>
          <section class="card c5" aria-labelledby="h-create">
            <header>
              <h2 id="h-create">{settings.programs.create}</h2>
            </header>
            <CreateForm onChange={clients.refresh} />
          </section>
        </div>
      ) : null}
    </>
  );
}

interface ProgramProps {
  readonly client: Client;
  /** The versions of the API that are served, newest first. */
  readonly versions: readonly string[];
  readonly onChange: () => void;
}

function Program({ client, versions, onChange }: ProgramProps) {
  const { texts } = useLanguage();
  const { programs } = texts.settings;
  const { nowMs } = usePage();
  const task = useTask();
  const { id, name, version, scopes, lastUsedAt } = client;
  const url = `/local/clients/${encodeURIComponent(id)}`;
  const used =
    lastUsedAt === null ? programs.neverUsed : programs.lastUsed(age(Math.max(0, nowMs - Date.parse(lastUsedAt))));
  const change = (work: Promise<unknown>): Promise<unknown> => work.finally(onChange);
  return (
    <div class="entry">
      <p>
        <span class="t">{name}</span>
        <br />
        <span class="small second">
          {[used, ...SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => programs.scopes[scope])].join(
            " · ",
          )}
        </span>
      </p>
      <label class="field">
        <span>
          {programs.version}
          <span class="sr"> {name}</span>
        </span>
        <select
          class="in"
          disabled={task.isBusy}
          onChange={(event) => {
            const next = event.currentTarget.value;
            task.run(() => change(ask("PATCH", url, { version: next })));
          }}
        >
          {[...new Set([...versions, version])].map((date) => (
            <option key={date} value={date} selected={date === version}>
              {date}
            </option>
          ))}
        </select>
      </label>
      <SureButton
        task={task}
        question={programs.revokeSure(name)}
        onSure={() => task.run(() => change(ask("DELETE", url)))}
      >
        {programs.revoke}
        <span class="sr"> {name}</span>
      </SureButton>
      <Outcome task={task} done={texts.saved} />
    </div>
  );
}

function CreateForm({ onChange }: { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { programs } = texts.settings;
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const task = useTask();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      setMade(await ask("POST", "/local/clients", { name: name.trim(), scopes }));
      setName("");
      setScopes([]);
      onChange();
    });
  };
  if (made !== null) {
    return (
      <div class="stack" role="status">
        <h3>{programs.secretTitle}</h3>
        <p class="small">{programs.secretAbout}</p>
        <dl class="about">
          <dt>{programs.id}</dt>
          <dd>
            <code>{made.id}</code>
          </dd>
          <dt>{programs.secret}</dt>
          <dd>
            <code>{made.secret}</code>
          </dd>
        </dl>
        <Button kind="p" onClick={() => setMade(null)}>
          {programs.done}
        </Button>
      </div>
    );
  }
  return (
    <form class="form" onSubmit={submit}>
      <Field label={programs.name} value={name} onText={setName} required maxLength={255} autoComplete="off" />
      {SCOPES.map((scope) => (
        <label class="row" key={scope}>
          <input
            type="checkbox"
            checked={scopes.includes(scope)}
            onChange={(event) =>
              setScopes(event.currentTarget.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
            }
          />
          <span class="small">{programs.scopes[scope]}</span>
        </label>
      ))}
      <Button type="submit" kind="p" task={task}>
        {programs.create}
      </Button>
      <Outcome task={task} />
    </form>
  );
}
