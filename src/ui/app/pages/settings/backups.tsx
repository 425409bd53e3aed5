/** Backups of the whole gateway: how they stand, one now, and what to do with each. */
import { useState } from "preact/hooks";
import type { BackupsView, BackupTaskView } from "../../../../domain/backup/backup-view.ts";
import { ask } from "../../api.ts";
import { errorText } from "../../error-text.ts";
import { number, percent } from "../../format.ts";
import type { Polled } from "../../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../../parts/form.tsx";
import { TaskPage } from "../../parts/task-page.tsx";
import { useLanguage } from "../../texts.ts";
import {
  type ChangeProps,
  Failure,
  MAX_PASSPHRASE,
  MIN_PASSPHRASE,
  ScheduleCard,
  type StateProps,
} from "./backup-schedule.tsx";
import { SureButton } from "./sure.tsx";

const URL = "/local/backups";

type Backup = BackupsView["backups"][number];

export function BackupsPage() {
  const { backups, pages } = useLanguage().texts.settings;
  const words = { title: pages.backups, lead: backups.lead, refusal: backups.ownersOnly };
  return (
    <TaskPage<BackupsView> url={URL} right="people" {...words}>
      {(value, polled) => <Backups state={value} error={polled.error} onChange={polled.refresh} />}
    </TaskPage>
  );
}

function Backups({ state: value, error, onChange }: ChangeProps & Pick<Polled<BackupsView>, "error">) {
  const { texts } = useLanguage();
  const { backups } = texts.settings;
  return (
    <div class="cols">
      <div class="stack c7">
        <section class="card" aria-labelledby="h-now">
          <header>
            <h2 id="h-now">{backups.now}</h2>
          </header>
          <NowForm state={value} onChange={onChange} />
        </section>
        <section class="card" aria-labelledby="h-backups">
          <header>
            <h2 id="h-backups">{backups.list}</h2>
          </header>
          {error === null ? null : <p class="error">{errorText(error, texts)}</p>}
          {value.backups.length === 0 ? <p class="second">{backups.none}</p> : null}
          <ul class="list">
            {value.backups.map((backup) => (
              <li key={backup.name}>
                <Entry backup={backup} state={value} onChange={onChange} />
              </li>
            ))}
          </ul>
        </section>
      </div>
      <div class="stack c5">
        <ScheduleCard state={value} onChange={onChange} />
        <RestoreCard state={value} />
      </div>
    </div>
  );
}

function NowForm({ state, onChange }: ChangeProps) {
  const { texts } = useLanguage();
  const { backups } = texts.settings;
  const [passphrase, setPassphrase] = useState("");
  const task = useTask({ 409: texts.errors.backupBusy });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await ask("POST", URL, bodyOf(passphrase));
      setPassphrase("");
      onChange();
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <PassphraseField state={state} label={backups.passphrase} value={passphrase} onText={setPassphrase} isNew />
      <Button type="submit" kind="p" task={task} isDisabled={state.task?.state === "running"}>
        {backups.make}
      </Button>
      <Outcome task={task} />
      {state.task === null ? null : <Progress task={state.task} />}
    </form>
  );
}

interface PassphraseProps extends StateProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  /** A new one is chosen; otherwise it is that of a backup. */
  readonly isNew: boolean;
}

function PassphraseField({ state, label, value, onText, isNew }: PassphraseProps) {
  const { backups } = useLanguage().texts.settings;
  const { hasPassphrase } = state;
  return (
    <Field
      label={label}
      type="password"
      hint={hasPassphrase ? backups.configured : isNew ? backups.keepIt : undefined}
      value={value}
      onText={onText}
      required={!hasPassphrase}
      minLength={isNew ? MIN_PASSPHRASE : 1}
      maxLength={MAX_PASSPHRASE}
      autoComplete={isNew ? "new-password" : "off"}
    />
  );
}

/** What runs now, or how it ended. */
function Progress({ task }: { readonly task: BackupTaskView }) {
  const { texts, code } = useLanguage();
  const { backups } = texts.settings;
  const { kind, name, step, state, doneBytes, expectedBytes, failure, cause, endedAt } = task;
  if (state === "running") {
    const what = { write: backups.writing, read: backups.reading, upload: backups.uploading }[step];
    // While it is written its size is a guess.
    const part = expectedBytes === null ? null : Math.min(doneBytes / Math.max(1, expectedBytes), 0.99);
    const done = part === null ? size(doneBytes, code) : percent(100 * part, code);
    return (
      <div role="status">
        <p class="small second">
          {what} {name}: {done}
        </p>
        <progress class="bar" aria-label={`${what} ${name}`} {...(part === null ? {} : { value: part, max: 1 })} />
      </div>
    );
  }
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "medium" });
  if (failure !== null) {
    return (
      <p class="error" role="status">
        {kind === "verify" ? backups.notVerified : step === "upload" ? backups.notUploaded : backups.notMade}{" "}
        <Failure failure={failure} cause={cause} />
      </p>
    );
  }
  return (
    <p class="small second" role="status">
      {(kind === "create" ? backups.made : backups.whole)(name, time.format(Date.parse(endedAt ?? "")))}
    </p>
  );
}

function Entry({ backup, state, onChange }: ChangeProps & { readonly backup: Backup }) {
  const { texts, code } = useLanguage();
  const { backups } = texts.settings;
  const { name, bytes, writtenAt, verified } = backup;
  const [isAsked, setAsked] = useState(false);
  const [passphrase, setPassphrase] = useState("");
  const task = useTask({ 409: texts.errors.backupBusy });
  const time = new Intl.DateTimeFormat(code, { dateStyle: "medium", timeStyle: "short" });
  const url = `${URL}/${encodeURIComponent(name)}`;
  const verify = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await ask("POST", `${url}/verify`, bodyOf(passphrase));
      setPassphrase("");
      setAsked(false);
      onChange();
    });
  };
  return (
    <div class="entry">
      <p>
        <span class="t">{time.format(Date.parse(writtenAt))}</span> · {size(bytes, code)}
        <br />
        <span class="small second long">{name}</span>
        <br />
        {verified === null ? (
          <span class="small second">{backups.unverified}</span>
        ) : verified.failure === null ? (
          <span class="small second">{backups.verified(time.format(Date.parse(verified.at)))}</span>
        ) : (
          <span class="error">
            {backups.damaged} <Failure {...verified} />
          </span>
        )}
      </p>
      {isAsked ? (
        <form class="form" onSubmit={verify}>
          <PassphraseField
            state={state}
            label={backups.itsPassphrase}
            value={passphrase}
            onText={setPassphrase}
            isNew={false}
          />
          <Button type="submit" kind="s" task={task} isDisabled={state.task?.state === "running"}>
            {backups.verify}
            <span class="sr"> {name}</span>
          </Button>
        </form>
      ) : null}
      <div class="acts">
        {isAsked ? null : (
          <Button kind="s" onClick={() => setAsked(true)}>
            {backups.verify}
            <span class="sr"> {name}</span>
          </Button>
        )}
        <a class="b s" href={url} download={name}>
          {backups.download}
          <span class="sr"> {name}</span>
        </a>
        <SureButton
          task={task}
          question={backups.removeSure}
          onSure={() => task.run(() => ask("DELETE", url).finally(onChange))}
        >
          {texts.remove}
          <span class="sr"> {name}</span>
        </SureButton>
      </div>
      <Outcome task={task} />
    </div>
  );
}

function RestoreCard({ state }: StateProps) {
  const { texts } = useLanguage();
  const { backups } = texts.settings;
  const [newest] = state.backups;
  const path = `${state.folder}/${newest?.name ?? "house.hgbackup"}`;
  return (
    <section class="card" aria-labelledby="h-restore">
      <header>
        <h2 id="h-restore">{backups.restore}</h2>
      </header>
      <div class="stack">
        <p class="small">{backups.restoreAbout}</p>
        <textarea
          class="file"
          aria-label={backups.command}
          readOnly
          rows={9}
          lang="en"
          value={`sudo systemctl stop hemgate\nsudo hemgate backup restore ${path} --as this-gateway --passphrase-file passphrase --state /var/lib/hemgate\nsudo systemctl start hemgate`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <p class="hint">{backups.restoreAs}</p>
      </div>
    </section>
  );
}

function bodyOf(passphrase: string): object {
  return passphrase === "" ? {} : { passphrase };
}

/** `12.3 MB`. */
function size(bytes: number, code: string): string {
  const units = ["kB", "MB", "GB"] as const;
  const power = bytes < 1e6 ? 0 : bytes < 1e9 ? 1 : 2;
  return `${number(bytes / 1_000 ** (power + 1), code, 1)}\u202f${units[power]}`;
}
