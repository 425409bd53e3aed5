/** A channel of notifications: a new one, or another setting of one. What is secret is written only. */
import { useState } from "preact/hooks";
import { NOTIFICATION_KINDS, type NotificationKind } from "../../../../domain/notifications/condition.ts";
import type { NotificationChannel } from "../../../../domain/notifications/delivery.ts";
import { ask } from "../../api.ts";
import { Button, Choice, Field, Outcome, useTask } from "../../parts/form.tsx";
import { LANGUAGES, useLanguage } from "../../texts.ts";

const TYPES = ["ntfy", "email", "webhook"] as const;
const NTFY = "https://ntfy.sh";
const TOPIC_BYTES = 10;

interface Typed {
  readonly id: string;
  readonly type: NotificationChannel["type"];
  readonly server: string;
  readonly topic: string;
  readonly token: string;
  readonly to: string;
  readonly url: string;
  readonly secret: string;
  readonly language: string;
  readonly kinds: readonly NotificationKind[];
  readonly quietFrom: string;
  readonly quietUntil: string;
  readonly digestAt: string;
}

/** A topic that nobody guesses. */
function newTopic(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOPIC_BYTES));
  return `house-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function typedOf(channel: NotificationChannel | null, language: string): Typed {
  const base = language.split("-", 1)[0] ?? "en";
  return {
    id: channel?.id ?? "",
    type: channel?.type ?? "ntfy",
    server: channel?.server ?? NTFY,
    topic: channel === null ? newTopic() : "",
    token: "",
    url: "",
    secret: "",
    to: channel?.to?.join(", ") ?? "",
    language: channel?.language ?? base,
    kinds: channel?.kinds ?? NOTIFICATION_KINDS,
    quietFrom: channel?.quietHours?.from ?? "",
    quietUntil: channel?.quietHours?.until ?? "",
    digestAt: channel?.digestAt ?? "",
  };
}

/** The body of the request; what is empty is left out, so that it stays. */
function bodyOf(typed: Typed): object {
  const { type, language, kinds, quietFrom, quietUntil, digestAt } = typed;
  const text = (name: "topic" | "token" | "url" | "secret") => (typed[name] === "" ? {} : { [name]: typed[name] });
  const address = {
    ntfy: { server: typed.server.trim(), ...text("topic"), ...text("token") },
    email: { to: typed.to.split(/[,;\s]+/).filter((each) => each !== "") },
    webhook: { ...text("url"), ...text("secret") },
  }[type];
  return {
    type,
    language,
    ...address,
    // A later version may report more: who wants everything gets that, too.
    ...(kinds.length === NOTIFICATION_KINDS.length ? {} : { kinds }),
    ...(quietFrom === "" && quietUntil === "" ? {} : { quietHours: { from: quietFrom, until: quietUntil } }),
    ...(digestAt === "" ? {} : { digestAt }),
  };
}

interface FormProps {
  /** `null`: a new one. */
  readonly channel: NotificationChannel | null;
  readonly hasMail: boolean;
  readonly onDone: () => void;
}

export function ChannelForm({ channel, hasMail, onDone }: FormProps) {
  const { texts, code } = useLanguage();
  const { notify } = texts.settings;
  const [typed, setTyped] = useState(() => typedOf(channel, code));
  const task = useTask({ 409: texts.errors.recipients });
  const change = (part: Partial<Typed>): void => setTyped({ ...typed, ...part });
  const lacksMail = typed.type === "email" && !hasMail;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await ask("PUT", `/local/notifications/${encodeURIComponent(typed.id)}`, bodyOf(typed));
      onDone();
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      {channel === null ? (
        <>
          <Field
            label={notify.name}
            hint={notify.nameHint}
            value={typed.id}
            onText={(id) => change({ id })}
            required
            maxLength={63}
            autoComplete="off"
          />
          <Choice
            legend={notify.type}
            name="channel-type"
            value={typed.type}
            choices={TYPES.map((value) => ({ value, label: notify.types[value] }))}
            onChoose={(type) => change({ type })}
          />
        </>
      ) : null}
      {/* A field that is used again for another type would keep the limits of its former one. */}
      <Address key={typed.type} typed={typed} channel={channel} onChange={change} />
      {lacksMail ? <p class="hint">{notify.mailFirst}</p> : null}
      <label class="field">
        <span>{notify.language}</span>
        <select class="in" onChange={(event) => change({ language: event.currentTarget.value })}>
          {languages().map(([short, name]) => (
            <option key={short} value={short} selected={short === typed.language}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Kinds kinds={typed.kinds} onChange={(kinds) => change({ kinds })} />
      <fieldset class="form">
        <legend class="lab">{notify.quiet}</legend>
        <div class="pair">
          <Field
            label={notify.from}
            type="time"
            value={typed.quietFrom}
            onText={(quietFrom) => change({ quietFrom })}
            required={typed.quietUntil !== ""}
          />
          <Field
            label={notify.until}
            type="time"
            value={typed.quietUntil}
            onText={(quietUntil) => change({ quietUntil })}
            required={typed.quietFrom !== ""}
          />
        </div>
        <p class="hint">{notify.quietHint}</p>
      </fieldset>
      <Field
        label={notify.digest}
        type="time"
        hint={notify.digestHint}
        value={typed.digestAt}
        onText={(digestAt) => change({ digestAt })}
      />
      <Button type="submit" kind="p" task={task} isDisabled={lacksMail || typed.kinds.length === 0}>
        {task.isBusy ? texts.saving : channel === null ? notify.add : texts.save}
      </Button>
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}

function languages(): readonly (readonly [string, string])[] {
  return Object.entries(LANGUAGES).map(([code, { name }]) => [code.split("-", 1)[0] ?? code, name]);
}

interface AddressProps {
  readonly typed: Typed;
  readonly channel: NotificationChannel | null;
  readonly onChange: (part: Partial<Typed>) => void;
}

/** Where the messages go. A secret that is stored is kept while its field is empty. */
function Address({ typed, channel, onChange }: AddressProps) {
  const { notify } = useLanguage().texts.settings;
  const isNew = channel === null;
  const kept = isNew ? undefined : notify.kept;
  const isMoved = typed.server.trim() !== channel?.server;
  switch (typed.type) {
    case "ntfy":
      return (
        <>
          <Field
            label={notify.topic}
            hint={[...(isMoved ? [] : [notify.kept]), notify.topicHint].join(" ")}
            value={typed.topic}
            onText={(topic) => onChange({ topic })}
            required={isMoved}
            maxLength={64}
            autoComplete="off"
          />
          <Field
            label={notify.server}
            value={typed.server}
            onText={(server) => onChange({ server })}
            required
            maxLength={500}
            autoComplete="off"
          />
          <Field
            label={notify.token}
            type="password"
            hint={channel?.hasToken && !isMoved ? notify.kept : notify.tokenHint}
            value={typed.token}
            onText={(token) => onChange({ token })}
            maxLength={1_000}
            autoComplete="new-password"
          />
        </>
      );
    case "email":
      return (
        <Field label={notify.to} value={typed.to} onText={(to) => onChange({ to })} required autoComplete="email" />
      );
    case "webhook":
      return (
        <>
          <Field
            label={notify.url}
            hint={kept}
            value={typed.url}
            onText={(url) => onChange({ url })}
            required={isNew}
            maxLength={2_000}
            autoComplete="off"
          />
          <Field
            label={notify.secret}
            hint={kept}
            type="password"
            value={typed.secret}
            onText={(secret) => onChange({ secret })}
            required={isNew}
            minLength={6}
            maxLength={256}
            autoComplete="new-password"
          />
        </>
      );
    default:
      return typed.type satisfies never;
  }
}

interface KindsProps {
  readonly kinds: readonly NotificationKind[];
  readonly onChange: (kinds: readonly NotificationKind[]) => void;
}

function Kinds({ kinds, onChange }: KindsProps) {
  const { notify } = useLanguage().texts.settings;
  return (
    <fieldset class="form">
      <legend class="lab">{notify.what}</legend>
      {NOTIFICATION_KINDS.map((kind) => (
        <label class="row" key={kind}>
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              onChange(NOTIFICATION_KINDS.filter((each) => (each === kind ? isOn : kinds.includes(each))));
            }}
          />
          <span class="small">{notify.kinds[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}
