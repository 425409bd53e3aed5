/** The section `backup` of the configuration: when backups are made, where they are, how many are kept, and the passphrase. */
import { useState } from "preact/hooks";
import type { BackupCause } from "../../../../domain/backup/backup-cause.ts";
import type { BackupsView, UploadedBackupsView } from "../../../../domain/backup/backup-view.ts";
import { DAY_MS } from "../../../../domain/duration.ts";
import { ask } from "../../api.ts";
import { number } from "../../format.ts";
import { Button, Choice, Field, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { type BackupTimes, cronOf, timesOf } from "./backup-times.ts";
import { HIDDEN, Origin, type Section, SectionSaver, sectionOf, useConfiguration } from "./configuration.tsx";

export const MIN_PASSPHRASE = 12;
export const MAX_PASSPHRASE = 1_000;
const RHYTHMS = ["never", "daily", "weekly", "other"] as const;
const PASSPHRASE_VARIABLE = "HEMGATE_BACKUP_PASSPHRASE";
const MAX_KEPT = 1_000;
/** A Sunday, at noon in UTC. */
const SOME_SUNDAY_MS = Date.UTC(2026, 5, 21, 12);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;

export interface StateProps {
  readonly state: BackupsView;
}

export interface ChangeProps extends StateProps {
  readonly onChange: () => void;
}

interface BackupSection {
  readonly schedule?: string;
  readonly folder?: string;
  readonly passphrase?: string;
  readonly keep: number;
  readonly webdav?: WebDavSection;
}

interface WebDavSection {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  readonly fingerprint?: string;
}

export function ScheduleCard({ state, onChange }: ChangeProps) {
  const { texts } = useLanguage();
  const { backups } = texts.settings;
  const configuration = useConfiguration();
  const section = sectionOf<BackupSection>(configuration.value, "backup");
  const done = (): void => {
    configuration.refresh();
    onChange();
  };
  return (
    <section class="card" aria-labelledby="h-schedule">
      <header>
        <h2 id="h-schedule">{backups.schedule}</h2>
      </header>
      <div class="stack">
        <Facts state={state} />
        {state.webdav === null ? null : <OnServer />}
        {section?.isSettable === true ? <SettingsForm section={section} state={state} onDone={done} /> : null}
        {section === null ? null : <Origin section={section} name="backup" />}
      </div>
    </section>
  );
}

function Facts({ state }: StateProps) {
  const { texts, code } = useLanguage();
  const { backups } = texts.settings;
  const { schedule, folder, keep, hasPassphrase, webdav } = state;
  const time = new Intl.DateTimeFormat(code, { dateStyle: "medium", timeStyle: "short" });
  return (
    <>
      {schedule === null ? <p>{backups.noSchedule}</p> : null}
      <dl class="about">
        {schedule === null ? null : (
          <>
            <dt>{backups.next}</dt>
            <dd>{time.format(Date.parse(schedule.nextAt))}</dd>
            <dt>{backups.last}</dt>
            <dd>{schedule.last === null ? backups.notYet : time.format(Date.parse(schedule.last.at))}</dd>
            <dt>{backups.times}</dt>
            <dd>
              <code>{schedule.expression}</code> ({schedule.timeZone})
            </dd>
          </>
        )}
        <dt>{backups.folder}</dt>
        <dd class="long">{folder}</dd>
        <dt>{backups.kept}</dt>
        <dd>{number(keep, code, 0)}</dd>
        <dt>{backups.hasPassphrase}</dt>
        <dd>{hasPassphrase ? backups.set : backups.notSet}</dd>
        {webdav === null ? null : (
          <>
            <dt>{backups.webdav}</dt>
            <dd class="long">{webdav}</dd>
          </>
        )}
      </dl>
      {schedule?.last?.failure ? (
        <p class="error">
          {schedule.last.isStored ? backups.notUploaded : backups.notMade} <Failure {...schedule.last} />
        </p>
      ) : null}
    </>
  );
}

interface FailureProps {
  readonly failure: string | null;
  readonly cause: BackupCause | null;
}

/** The usual cause in the language of the page, then the gateway's own words. */
export function Failure({ failure, cause }: FailureProps) {
  const { backups, notify } = useLanguage().texts.settings;
  const sentences: Partial<Record<BackupCause, string>> = { ...notify.codes, ...backups.causes };
  return (
    <>
      {cause === null ? null : sentences[cause]} <span lang="en">{failure}</span>
    </>
  );
}

interface FormProps extends StateProps {
  readonly section: Section<BackupSection>;
  readonly onDone: () => void;
}

function SettingsForm({ section, state, onDone }: FormProps) {
  const { form } = useLanguage().texts.settings.backups;
  const before = section.value;
  const [times, setTimes] = useState(timesOf(before.schedule));
  const [folder, setFolder] = useState(before.folder ?? "");
  const [keep, setKeep] = useState(String(before.keep));
  const [passphrase, setPassphrase] = useState("");
  // What a variable of the machine sets is not stored a second time.
  const [webdav, setWebDav] = useState(typedOf(before.webdav));
  const isKept =
    before.passphrase !== undefined && section.origin === "api" && !section.variables.includes(PASSPHRASE_VARIABLE);
  const value = (): object => {
    const schedule = cronOf(times);
    return {
      ...(schedule !== null && { schedule }),
      ...(folder.trim() !== "" && { folder: folder.trim() }),
      ...(passphrase !== "" ? { passphrase } : isKept && { passphrase: before.passphrase }),
      keep: Number(keep),
      ...(webdav.url.trim() !== "" && { webdav: webDavOf(webdav, before.webdav) }),
    };
  };
  const done = (): void => {
    setPassphrase("");
    setWebDav({ ...webdav, password: "" });
    onDone();
  };
  return (
    <div class="form">
      <TimesFields times={times} onChange={setTimes} />
      <Field
        label={form.ownPassphrase}
        type="password"
        hint={state.hasPassphrase ? form.passphraseKept : undefined}
        value={passphrase}
        onText={setPassphrase}
        minLength={MIN_PASSPHRASE}
        maxLength={MAX_PASSPHRASE}
        autoComplete="new-password"
      />
      <Field label={form.folderField} hint={form.folderHint} value={folder} onText={setFolder} />
      <Field label={form.keepField} type="number" min={1} max={MAX_KEPT} value={keep} onText={setKeep} />
      <WebDavFields typed={webdav} hasPassword={before.webdav?.password !== undefined} onChange={setWebDav} />
      {state.task?.state === "running" ? (
        <p class="hint">{form.restartRunning}</p>
      ) : (
        <SectionSaver section={section} name="backup" value={value} onDone={done} />
      )}
    </div>
  );
}

interface TimesProps {
  readonly times: BackupTimes;
  readonly onChange: (times: BackupTimes) => void;
}

function TimesFields({ times, onChange }: TimesProps) {
  const { texts, code } = useLanguage();
  const { form } = texts.settings.backups;
  const { rhythm, time, weekday, cron } = times;
  const nameOf = (day: number): string =>
    new Intl.DateTimeFormat(code, { weekday: "long", timeZone: "UTC" }).format(SOME_SUNDAY_MS + day * DAY_MS);
  return (
    <>
      <Choice
        legend={form.rhythm}
        name="backup-rhythm"
        value={rhythm}
        choices={RHYTHMS.map((value) => ({ value, label: form[value] }))}
        onChoose={(chosen) => onChange({ ...times, rhythm: chosen })}
      />
      {rhythm === "weekly" ? (
        <label class="field">
          <span>{form.on}</span>
          <select class="in" onChange={(event) => onChange({ ...times, weekday: Number(event.currentTarget.value) })}>
            {WEEKDAYS.map((day) => (
              <option key={day} value={day} selected={day === weekday}>
                {nameOf(day)}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {rhythm === "daily" || rhythm === "weekly" ? (
        <Field
          label={form.at}
          type="time"
          value={time}
          onText={(text) => onChange({ ...times, time: text })}
          required
        />
      ) : null}
      {rhythm === "other" ? (
        <Field
          label={form.cron}
          hint={form.cronHint}
          value={cron}
          onText={(text) => onChange({ ...times, cron: text })}
          required
        />
      ) : null}
    </>
  );
}

type TypedWebDav = Readonly<Record<"url" | "username" | "password" | "fingerprint", string>>;

function typedOf({ url = "", username = "", fingerprint = "" }: Partial<WebDavSection> = {}): TypedWebDav {
  return { url, username, password: "", fingerprint };
}

function webDavOf(typed: TypedWebDav, before: WebDavSection | undefined): WebDavSection {
  const [url, username, fingerprint] = [typed.url.trim(), typed.username.trim(), typed.fingerprint.trim()];
  const password = typed.password === "" && before?.password !== undefined ? HIDDEN : typed.password;
  return {
    url,
    ...(username !== "" && { username, ...(password !== "" && { password }) }),
    ...(fingerprint !== "" && { fingerprint }),
  };
}

interface WebDavProps {
  readonly typed: TypedWebDav;
  readonly hasPassword: boolean;
  readonly onChange: (typed: TypedWebDav) => void;
}

function WebDavFields({ typed, hasPassword, onChange }: WebDavProps) {
  const { form } = useLanguage().texts.settings.backups;
  const change = (part: Partial<TypedWebDav>): void => onChange({ ...typed, ...part });
  return (
    <fieldset class="form">
      <legend class="lab">{form.target}</legend>
      <Field label={form.url} hint={form.urlHint} value={typed.url} onText={(url) => change({ url })} />
      {typed.url === "" ? null : (
        <>
          <Field
            label={form.account}
            value={typed.username}
            onText={(username) => change({ username })}
            autoComplete="off"
          />
          <Field
            label={form.password}
            type="password"
            hint={hasPassword ? form.passphraseKept : undefined}
            value={typed.password}
            onText={(password) => change({ password })}
            autoComplete="new-password"
          />
          <Field
            label={form.fingerprint}
            hint={form.fingerprintHint}
            value={typed.fingerprint}
            onText={(fingerprint) => change({ fingerprint })}
            autoComplete="off"
          />
        </>
      )}
    </fieldset>
  );
}

/** Asks the server only when a person wants to know. */
function OnServer() {
  const { texts, code } = useLanguage();
  const { backups } = texts.settings;
  const [found, setFound] = useState<UploadedBackupsView["backups"] | null>(null);
  const task = useTask();
  const look = (): void =>
    task.run(async () => {
      setFound(null);
      setFound((await ask<UploadedBackupsView>("GET", "/local/backups/uploaded")).backups);
    });
  return (
    <div class="stack">
      <Button kind="s" task={task} onClick={look}>
        {backups.askServer}
      </Button>
      <Outcome task={task} done={found?.length === 0 ? backups.noneThere : backups.onServer} />
      {found === null ? null : (
        <ul>
          {found.map(({ name, bytes }) => (
            <li key={name} class="small long">
              {name}
              {bytes === null ? null : `, ${number(bytes / 1e6, code, 1)} MB`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
