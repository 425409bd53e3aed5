/** The server that takes the e-mails. Its password is written only. */
import { useState } from "preact/hooks";
import type { MailServerView } from "../../../../domain/notifications/delivery.ts";
import { ask } from "../../api.ts";
import { Button, Choice, Field, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { SureButton } from "./sure.tsx";

const URL = "/local/mail-server";
const SECURITIES = ["tls", "starttls", "none"] as const;
const MAX_PORT = 65_535;

interface CardProps {
  readonly mail: MailServerView;
  readonly onChange: () => void;
}

export function MailServerCard({ mail, onChange }: CardProps) {
  const { texts } = useLanguage();
  const { notify, origin } = texts.settings;
  const { server } = mail;
  const task = useTask({ 409: texts.errors.mailNeeded });
  const isInFile = mail.origin === "file";
  return (
    <section class="card" aria-labelledby="h-mail">
      <header>
        <h2 id="h-mail">{notify.mail}</h2>
      </header>
      <p class="small second">{isInFile ? origin.file("notifications.mailServer") : notify.mailAbout}</p>
      {isInFile ? <p class="long">{server?.host}</p> : <MailServerForm server={server} onDone={onChange} />}
      {mail.origin === "api" ? (
        <>
          <SureButton
            task={task}
            question={notify.removeSure}
            onSure={() => task.run(() => ask("DELETE", URL).then(onChange))}
          >
            {texts.remove}
            <span class="sr"> {server?.host}</span>
          </SureButton>
          <Outcome task={task} />
        </>
      ) : null}
    </section>
  );
}

interface FormProps {
  readonly server: MailServerView["server"];
  readonly onDone: () => void;
}

function MailServerForm({ server, onDone }: FormProps) {
  const { texts } = useLanguage();
  const { notify } = texts.settings;
  const [typed, setTyped] = useState({
    host: server?.host ?? "",
    port: server?.port === null || server === null ? "" : String(server.port),
    security: server?.security ?? "tls",
    username: server?.username ?? "",
    password: "",
    from: server?.from ?? "",
  });
  const task = useTask({ 409: texts.errors.setElsewhere });
  const change = (part: Partial<typeof typed>): void => setTyped({ ...typed, ...part });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { host, port, security, username, password, from } = typed;
    task.run(async () => {
      await ask("PUT", URL, {
        host: host.trim(),
        security,
        from: from.trim(),
        ...(port === "" ? {} : { port: Number(port) }),
        ...(username === "" ? {} : { username }),
        ...(password === "" ? {} : { password }),
      });
      change({ password: "" });
      onDone();
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field
        label={notify.host}
        value={typed.host}
        onText={(host) => change({ host })}
        required
        maxLength={255}
        autoComplete="off"
      />
      <Choice
        legend={notify.security}
        name="mail-security"
        value={typed.security}
        choices={SECURITIES.map((value) => ({ value, label: notify.securities[value] }))}
        onChoose={(security) => change({ security })}
      />
      <Field
        label={notify.port}
        hint={notify.portHint}
        type="number"
        min={1}
        max={MAX_PORT}
        value={typed.port}
        onText={(port) => change({ port })}
      />
      <Field
        label={notify.username}
        value={typed.username}
        onText={(username) => change({ username })}
        maxLength={255}
        autoComplete="off"
      />
      <Field
        label={notify.password}
        hint={server?.hasPassword ? notify.kept : undefined}
        type="password"
        value={typed.password}
        onText={(password) => change({ password })}
        maxLength={1_000}
        autoComplete="new-password"
      />
      <Field
        label={notify.sender}
        value={typed.from}
        onText={(from) => change({ from })}
        required
        maxLength={254}
        autoComplete="off"
      />
      <Button type="submit" kind="p" task={task}>
        {task.isBusy ? texts.saving : texts.save}
      </Button>
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}
