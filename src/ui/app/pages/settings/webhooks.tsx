/** Where events are sent: the webhooks of all, with their last deliveries. */
import { useState } from "preact/hooks";
import type { DeliveryCode } from "../../../../domain/notifications/delivery.ts";
import { ask } from "../../api.ts";
import { waitText } from "../../error-text.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Field, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { SureButton } from "./sure.tsx";

interface Overview {
  readonly webhook: {
    readonly id: string;
    readonly url: string;
    readonly events: readonly string[];
    readonly isActive: boolean;
  };
  readonly owner: { readonly id: string; readonly name: string | null; readonly isOwn: boolean };
  readonly failures: number;
  readonly deliveries: readonly {
    readonly at: string;
    readonly isSuccess: boolean;
    readonly code: DeliveryCode;
    readonly description: string;
  }[];
}

const EACH_MS = 10_000;

export function WebhooksPage() {
  const { texts } = useLanguage();
  const { hooks, pages } = texts.settings;
  const list = usePolled<readonly Overview[]>("/local/webhooks", EACH_MS);
  return (
    <>
      <div class="lead">
        <h1>{pages.webhooks}</h1>
        <p>{hooks.lead}</p>
      </div>
      <div class="cols">
        <section class="card c7" aria-labelledby="h-hooks">
          <header>
            <h2 id="h-hooks">{pages.webhooks}</h2>
          </header>
          {list.value === null ? <p class="second">{waitText(list.error, texts)}</p> : null}
          {list.value?.length === 0 ? <p class="second">{hooks.none}</p> : null}
          <ul class="list">
            {list.value?.map((each) => (
              <li key={each.webhook.id}>
                <Hook overview={each} onChange={list.refresh} />
              </li>
            ))}
          </ul>
        </section>
        <section class="card c5" aria-labelledby="h-add">
          <header>
            <h2 id="h-add">{hooks.add}</h2>
          </header>
          <AddForm onChange={list.refresh} />
        </section>
      </div>
    </>
  );
}

function Hook({ overview, onChange }: { readonly overview: Overview; readonly onChange: () => void }) {
  const { texts, code } = useLanguage();
  const { hooks, notify } = texts.settings;
  const { webhook, owner, failures, deliveries } = overview;
  const task = useTask();
  const [outcome, setOutcome] = useState<string | null>(null);
  // `*` stands for what most want; it says nothing to people.
  const named = webhook.events.filter((event) => event !== "*");
  const url = `/webhooks/${webhook.id}`;
  const state = !webhook.isActive ? hooks.inactive : failures > 0 ? hooks.failing(failures) : hooks.active;
  const test = (): void => {
    setOutcome(null);
    task.run(async () => {
      const { status } = await ask<{ status: string }>("POST", `${url}/test`);
      onChange();
      if (status === "SUCCESS") return setOutcome(hooks.testOk);
      // The test is a delivery, whose code says why it failed.
      const all = await ask<readonly Overview[]>("GET", "/local/webhooks");
      const newest = all.find((each) => each.webhook.id === webhook.id)?.deliveries[0];
      setOutcome(newest === undefined ? null : `${notify.codes[newest.code]} ${newest.description}`);
    });
  };
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "medium" });
  return (
    <div class="entry">
      <p>
        <span class="t long">{webhook.url}</span>
        <br />
        <span class="small second">
          {[state, ...(owner.isOwn || owner.name === null ? [] : [hooks.by(owner.name)])].join(" · ")}
        </span>
        {named.length === 0 ? null : (
          <>
            <br />
            <span class="small second" lang="en">
              {named.join(", ")}
            </span>
          </>
        )}
      </p>
      <details>
        <summary class="small">{hooks.deliveries}</summary>
        {deliveries.length === 0 ? <p class="small second">{hooks.noDeliveries}</p> : null}
        <ul class="lines">
          {deliveries.map(({ at, isSuccess, code: reason, description }) => (
            <li key={at} class="small">
              {time.format(Date.parse(at))}{" "}
              {isSuccess ? (
                hooks.ok
              ) : (
                <span class="error">
                  {notify.codes[reason]} <span lang="en">{description}</span>
                </span>
              )}
            </li>
          ))}
        </ul>
      </details>
      {owner.isOwn ? (
        <div class="acts">
          <Button kind="s" task={task} onClick={test}>
            {hooks.test}
          </Button>
          <SureButton
            task={task}
            question={hooks.removeSure}
            onSure={() => task.run(() => ask("DELETE", url).finally(onChange))}
          >
            {texts.remove}
            <span class="sr"> {webhook.url}</span>
          </SureButton>
        </div>
      ) : null}
      <Outcome task={task} done={outcome ?? ""} />
    </div>
  );
}

function AddForm({ onChange }: { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { hooks } = texts.settings;
  const [url, setUrl] = useState("");
  const [secret, setSecret] = useState("");
  const [hasLocal, setLocal] = useState(false);
  const task = useTask();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(async () => {
      await ask("POST", "/webhooks", { url: url.trim(), secret, events: hasLocal ? ["*", "local:*"] : ["*"] });
      setUrl("");
      setSecret("");
      onChange();
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field label={hooks.url} value={url} onText={setUrl} required minLength={8} maxLength={200} autoComplete="off" />
      <Field
        label={hooks.secret}
        type="password"
        value={secret}
        onText={setSecret}
        required
        minLength={16}
        maxLength={256}
        autoComplete="new-password"
      />
      <label class="row">
        <input type="checkbox" checked={hasLocal} onChange={(event) => setLocal(event.currentTarget.checked)} />
        <span class="small">{hooks.localEvents}</span>
      </label>
      <Button type="submit" kind="p" task={task}>
        {hooks.add}
      </Button>
      <Outcome task={task} done={texts.saved} />
    </form>
  );
}
