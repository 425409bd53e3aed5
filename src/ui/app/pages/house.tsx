/** What protects the connection to the grid, and who may use the page. */
import { useState } from "preact/hooks";
import { ask } from "../api.ts";
import { useRight } from "../context.ts";
import { waitText } from "../error-text.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { useLanguage } from "../texts.ts";
import { type FeedIn, replacingShare, shareSetting, shareText } from "./feed-in.ts";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PeopleCard, SessionsCard } from "./people.tsx";

type Setting = "fuseA" | "importKw" | "feedInKw";
export interface Site {
  readonly connection: { readonly [Name in Setting]?: number } & FeedIn & { readonly phases?: 1 | 3 };
  readonly origins: Readonly<Record<Setting | "phases" | "feedInShare" | "feedInPreset", "file" | "api" | "default">>;
  readonly warnings: readonly { readonly message: string }[];
}

export function HousePage() {
  const { texts, code } = useLanguage();
  const mayInstall = useRight("install");
  const site = usePolled<Site>(`/local/site?language=${code}`, 0);
  return (
    <>
      <div class="lead">
        <h1>{texts.house.title}</h1>
        <p>{texts.house.lead}</p>
      </div>
      <div class="cols">
        <section class="card c6" aria-labelledby="h-connection">
          <header>
            <h2 id="h-connection">{texts.house.connection}</h2>
          </header>
          {site.value === null ? (
            <p class="second">{waitText(site.error, texts)}</p>
          ) : (
            <ConnectionForm site={site.value} onChange={site.refresh} />
          )}
        </section>
        <div class="stack c6">
          <SettingsLink />
          <PeopleCard />
          <PasskeysCard />
          <SessionsCard />
          {mayInstall ? (
            <a class="b full" href="#/setup">
              {texts.setup.link}
            </a>
          ) : null}
        </div>
      </div>
    </>
  );
}

function SettingsLink() {
  const { texts } = useLanguage();
  const mayInstall = useRight("install");
  if (!mayInstall) return null;
  return (
    <nav class="card flush" aria-label={texts.settings.title}>
      <a class="li wide" href="#/settings">
        <span>
          <span class="t">{texts.settings.open}</span>
          <br />
          <span class="d">{texts.settings.openAbout}</span>
        </span>
      </a>
    </nav>
  );
}

export function ConnectionForm({ site, onChange }: { readonly site: Site; readonly onChange: () => void }) {
  const { texts, code } = useLanguage();
  const { house } = texts;
  const mayInstall = useRight("install");
  const task = useTask({ 409: texts.errors.setElsewhere });
  const { connection, origins, warnings } = site;
  const [changes, setChanges] = useState<Readonly<Record<string, string>>>({});
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = Object.fromEntries(
      Object.entries(changes).map(([name, text]) => [name, text === "" ? null : Number(text)]),
    );
    task.run(async () => {
      await ask("PATCH", "/local/site", replacingShare(body, connection));
      setChanges({});
      onChange();
    });
  };
  const share = shareText(connection, code);
  const feedIn = share === null ? null : house.feedInShare(share);
  const field = (name: Setting, label: string, limits: { min: number; max: number; step: number }, hint?: string) => {
    const isShare = name === "feedInKw" && feedIn !== null;
    const isFromFile = origins[(isShare ? shareSetting(connection) : null) ?? name] === "file";
    const fromFile = isShare ? `${feedIn}. ${house.fromFile}` : house.fromFile;
    return (
      <Field
        label={label}
        hint={isFromFile ? fromFile : hint}
        type="number"
        disabled={!mayInstall || isFromFile}
        value={changes[name] ?? String(connection[name] ?? "")}
        onText={(text) => setChanges({ ...changes, [name]: text })}
        {...limits}
      />
    );
  };
  return (
    <form class="form" onSubmit={submit}>
      {field("fuseA", house.fuse, { min: 1, max: 2_000, step: 1 })}
      <label class="field">
        <span>{house.phases}</span>
        <select
          class="in"
          disabled={!mayInstall || origins.phases === "file"}
          onChange={(event) => setChanges({ ...changes, phases: event.currentTarget.value })}
        >
          {[1, 3].map((count) => (
            <option
              key={count}
              value={count}
              selected={(changes["phases"] ?? String(connection.phases ?? 3)) === String(count)}
            >
              {count}
            </option>
          ))}
        </select>
      </label>
      {field("importKw", house.importLimit, { min: 0.1, max: 10_000, step: 0.1 })}
      {field("feedInKw", house.feedIn, { min: 0, max: 10_000, step: 0.1 }, feedIn ?? house.feedInHint)}
      {warnings.map(({ message }) => (
        <p class="small second" key={message}>
          {message}
        </p>
      ))}
      <p class="hint">{house.enforced}</p>
      {mayInstall ? (
        <Button type="submit" kind="p" task={task} isDisabled={Object.keys(changes).length === 0}>
          {task.isBusy ? texts.saving : texts.save}
        </Button>
      ) : null}
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}
