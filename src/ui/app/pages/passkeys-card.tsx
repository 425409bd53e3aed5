/** The passkeys of the account that is signed in. */
import { useState } from "preact/hooks";
import { ask } from "../api.ts";
import { usePage } from "../context.ts";
import { age } from "../format.ts";
import { usePolled } from "../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../parts/form.tsx";
import { addPasskey, HAS_PASSKEYS } from "../passkeys.ts";
import { useLanguage } from "../texts.ts";

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly lastUsedAt: string | null;
}

/** Nothing where browsers have none: over http, and at an IP address. */
export function PasskeysCard() {
  const { texts } = useLanguage();
  const { session, nowMs } = usePage();
  const path = `/local/people/${session.account.id}/passkeys`;
  const passkeys = usePolled<readonly Passkey[]>(HAS_PASSKEYS ? path : null, 0);
  const task = useTask();
  if (!HAS_PASSKEYS) return null;
  const remove = (id: string): void => task.run(() => ask("DELETE", `${path}/${id}`).finally(passkeys.refresh));
  return (
    <section class="card" aria-labelledby="h-passkeys">
      <header>
        <h2 id="h-passkeys">{texts.passkeys.title}</h2>
      </header>
      <p class="small second">{texts.passkeys.lead(location.hostname)}</p>
      <ul class="list">
        {passkeys.value?.map(({ id, name, host, lastUsedAt }) => (
          <li class="row between" key={id}>
            <span>
              <span class="t">{name}</span>
              <br />
              <span class="small second">
                {[
                  host === location.hostname ? "" : host,
                  lastUsedAt === null
                    ? texts.passkeys.unused
                    : texts.house.lastUsed(age(Math.max(0, nowMs - Date.parse(lastUsedAt)))),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </span>
            <Button kind="q s" task={task} onClick={() => remove(id)}>
              {texts.remove}
              <span class="sr"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Outcome task={task} />
      <AddPasskey onChange={passkeys.refresh} />
    </section>
  );
}

function AddPasskey({ onChange }: { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { session } = usePage();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const task = useTask({ 409: texts.errors.passkeys });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await addPasskey(session.account.id, { name: name.trim(), password }, texts);
      setName("");
      setPassword("");
      onChange();
    });
  };
  return (
    <details>
      <summary class="small">{texts.passkeys.add}</summary>
      <form class="form" onSubmit={submit}>
        <Field
          label={texts.passkeys.name}
          hint={texts.passkeys.nameHint}
          value={name}
          onText={setName}
          required
          maxLength={64}
          autoComplete="off"
        />
        <Field
          label={texts.signIn.password}
          type="password"
          value={password}
          onText={setPassword}
          required
          maxLength={256}
          autoComplete="current-password"
        />
        <Button type="submit" kind="p s" task={task}>
          {texts.passkeys.add}
        </Button>
        <Outcome task={task} done={texts.saved} />
      </form>
    </details>
  );
}
