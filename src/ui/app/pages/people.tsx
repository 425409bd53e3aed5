/** Who may use the page, and where they are signed in. */
import { useState } from "preact/hooks";
import { ask } from "../api.ts";
import { type Role, usePage, useRight } from "../context.ts";
import { age, day } from "../format.ts";
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
  const change = (id: string, body: object): void =>
    task.run(() => ask("PATCH", `/local/people/${id}`, body).finally(changed));
  return (
    <section class="card" aria-labelledby="h-people">
      <header>
        <h2 id="h-people">{texts.house.people}</h2>
      </header>
      <ul class="list">
        {people.value?.map((person) => (
          <li class="entry" key={person.id}>
            <div class="row between">
              <span>
                <span class="t">{person.name}</span>{" "}
                <span class="small second">{person.id === session.account.id ? texts.house.you : ""}</span>
              </span>
              {mayChange && person.id !== session.account.id ? (
                <Button kind="q s" task={task} onClick={() => remove(person.id)}>
                  {texts.remove}
                  <span class="sr"> {person.name}</span>
                </Button>
              ) : null}
            </div>
            <RoleOf person={person} mayChange={mayChange} onChange={(role) => change(person.id, { role })} />
            <div class="row between">
              <Standing person={person} />
              {mayChange && person.expiresAt !== null ? (
                <Button kind="s" task={task} onClick={() => change(person.id, { renew: true })}>
                  {texts.house.accounts.renew}
                  <span class="sr"> {person.name}</span>
                </Button>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      <Outcome task={task} />
      {mayChange ? <AddPerson onChange={changed} /> : null}
      <ChangePassword />
    </section>
  );
}

interface RoleProps {
  readonly person: Person;
  readonly mayChange: boolean;
  readonly onChange: (role: Role) => void;
}

/** What a person may do; owners change it. */
function RoleOf({ person: { name, role }, mayChange, onChange }: RoleProps) {
  const { house } = useLanguage().texts;
  if (!mayChange) return <span class="small second">{house.roles[role]}</span>;
  return (
    <select
      class="in"
      aria-label={`${house.role}: ${name}`}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    >
      {ROLES.map((each) => (
        <option key={each} value={each} selected={each === role}>
          {house.roles[each]}
        </option>
      ))}
    </select>
  );
}

/** Until when an account counts, and whether its person was here yet. */
function Standing({ person: { expiresAt, isPending } }: { readonly person: Person }) {
  const { texts, code } = useLanguage();
  const { accounts } = texts.house;
  const { nowMs } = usePage();
  const endMs = expiresAt === null ? null : Date.parse(expiresAt);
  const words = [
    endMs === null ? null : endMs <= nowMs ? accounts.ended : accounts.until(day(endMs, code)),
    isPending ? accounts.pending : null,
  ].filter((part) => part !== null);
  return words.length === 0 ? null : <span class="small second">{words.join(" · ")}</span>;
}

function AddPerson({ onChange }: { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [invitation, setInvitation] = useState<string | null>(null);
  const task = useTask({ 409: texts.errors.nameTaken });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      const body = { name: name.trim(), role, ...(password !== "" && { password }) };
      const made = await ask<{ readonly name: string; readonly code: string | null }>("POST", "/local/people", body);
      const address = `${location.origin}/#code=${made.code}`;
      setInvitation(made.code === null ? null : texts.house.accounts.invitation(made.name, address));
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
          hint={texts.house.accounts.passwordOrCode}
          type="password"
          value={password}
          onText={setPassword}
          minLength={8}
          maxLength={256}
          autoComplete="new-password"
        />
        <Button type="submit" kind="p s" task={task}>
          {texts.house.addPerson}
        </Button>
        <Outcome task={task} done={texts.saved} />
        {invitation === null ? null : <p class="long">{invitation}</p>}
      </form>
    </details>
  );
}

/** Ends the other sessions of the person. */
function ChangePassword() {
  const { texts } = useLanguage();
  const { accounts } = texts.house;
  const { session } = usePage();
  const [oldPassword, setOld] = useState("");
  const [password, setNew] = useState("");
  const task = useTask({ 403: texts.passkeys.wrongPassword });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await ask("PATCH", `/local/people/${session.account.id}`, { oldPassword, password });
      setOld("");
      setNew("");
    });
  };
  const shared = { type: "password", required: true, maxLength: 256 } as const;
  return (
    <details>
      <summary class="small">{accounts.changePassword}</summary>
      <form class="form" onSubmit={submit}>
        <Field
          {...shared}
          label={accounts.oldPassword}
          value={oldPassword}
          onText={setOld}
          autoComplete="current-password"
        />
        <Field
          {...shared}
          label={accounts.newPassword}
          hint={texts.claim.passwordHint}
          value={password}
          onText={setNew}
          minLength={8}
          autoComplete="new-password"
        />
        <Button type="submit" kind="p s" task={task}>
          {texts.save}
        </Button>
        <Outcome task={task} done={accounts.passwordChanged} />
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
