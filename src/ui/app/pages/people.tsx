/** Who may use the page, and where they are signed in. */
import { useState } from "preact/hooks";
import { ask } from "../api.ts";
import { type Role, usePage, useRight } from "../context.ts";
import { age } from "../format.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { useLanguage } from "../texts.ts";

interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt: string | null;
  readonly isPending: boolean;
}

interface SignedIn {
  readonly id: string;
  readonly accountName: string;
  readonly isCurrent: boolean;
  readonly lastSeenAt: string;
  readonly userAgent: string | null;
}

const ROLES: readonly Role[] = ["member", "guest", "installer", "owner"];
const EACH_MS = 30_000;

export function PeopleCard({ onChange }: { readonly onChange?: () => void } = {}) {
  const { texts } = useLanguage();
  const { session } = usePage();
  const mayChange = useRight("people");
  const people = usePolled<readonly Person[]>("/local/people", EACH_MS);
  const task = useTask({ 409: texts.errors.lastOwner });
  const changed = (): void => {
    people.refresh();
    onChange?.();
  };
  const remove = (id: string): void => task.run(() => ask("DELETE", `/local/people/${id}`).finally(changed));
  return (
    <section class="card" aria-labelledby="h-people">
      <header>
        <h2 id="h-people">{texts.house.people}</h2>
      </header>
      <ul class="list">
        {people.value?.map(({ id, name, role }) => (
          <li class="row between" key={id}>
            <span>
              <span class="t">{name}</span>{" "}
              <span class="small second">{id === session.account.id ? texts.house.you : ""}</span>
              <br />
              <span class="small second">{texts.house.roles[role]}</span>
            </span>
            {mayChange && id !== session.account.id ? (
              <Button kind="q s" task={task} onClick={() => remove(id)}>
                {texts.remove}
                <span class="sr"> {name}</span>
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <Outcome task={task} />
      {mayChange ? <AddPerson onChange={changed} /> : null}
    </section>
  );
}

function AddPerson({ onChange }: { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("member");
  const task = useTask({ 409: texts.errors.nameTaken });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await ask("POST", "/local/people", { name: name.trim(), role, password });
      setName("");
      setPassword("");
      onChange();
    });
  };
  return (
    <details>
      <summary class="small">{texts.house.addPerson}</summary>
      <form class="form" onSubmit={submit}>
        <Field label={texts.house.person} value={name} onText={setName} required maxLength={64} autoComplete="off" />
        <label class="field">
          <span>{texts.house.role}</span>
          <select class="in" onChange={(event) => setRole(event.currentTarget.value as Role)}>
            {ROLES.map((value) => (
              <option key={value} value={value} selected={value === role}>
                {texts.house.roles[value]}
              </option>
            ))}
          </select>
        </label>
        <Field
          label={texts.house.initialPassword}
          type="password"
          value={password}
          onText={setPassword}
          required
          minLength={8}
          maxLength={256}
          autoComplete="new-password"
        />
        <Button type="submit" kind="p s" task={task}>
          {texts.house.addPerson}
        </Button>
        <Outcome task={task} done={texts.saved} />
      </form>
    </details>
  );
}

export function SessionsCard() {
  const { texts } = useLanguage();
  const { nowMs, onLeave } = usePage();
  const sessions = usePolled<readonly SignedIn[]>("/local/sessions", EACH_MS);
  const task = useTask();
  const end = (id: string): void => task.run(() => ask("DELETE", `/local/sessions/${id}`).finally(sessions.refresh));
  const leave = (): void => task.run(() => ask("DELETE", "/local/session").then(onLeave));
  return (
    <section class="card" aria-labelledby="h-sessions">
      <header>
        <h2 id="h-sessions">{texts.house.sessions}</h2>
      </header>
      <ul class="list">
        {sessions.value?.map(({ id, accountName, isCurrent, lastSeenAt, userAgent }) => (
          <li class="row between" key={id}>
            <span>
              <span class="t">{accountName}</span>
              <br />
              <span class="small second">
                {isCurrent
                  ? texts.house.thisOne
                  : [browserOf(userAgent), texts.house.lastUsed(age(nowMs - Date.parse(lastSeenAt)))]
                      .filter(Boolean)
                      .join(" · ")}
              </span>
            </span>
            {isCurrent ? (
              <Button kind="s" task={task} onClick={leave}>
                {texts.signIn.out}
              </Button>
            ) : (
              <Button kind="q s" task={task} onClick={() => end(id)}>
                {texts.house.end}
                <span class="sr"> {accountName}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Outcome task={task} />
    </section>
  );
}

/** What a browser is called by people: `Firefox`. */
function browserOf(userAgent: string | null): string {
  return /Firefox|Edg|Chrome|Safari|curl/u.exec(userAgent ?? "")?.[0] ?? "";
}
