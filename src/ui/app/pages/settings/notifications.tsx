/** Who is notified when something needs a person, and whether the messages arrive. */
import { useState } from "preact/hooks";
import type {
  DeliveryCode,
  MailServerView,
  NotificationChannel,
  NotificationDelivery,
} from "../../../../domain/notifications/delivery.ts";
import { ask } from "../../api.ts";
import { waitText } from "../../error-text.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { ChannelForm } from "./channel-form.tsx";
import { MailServerCard } from "./mail-server.tsx";
import { SureButton } from "./sure.tsx";

const NOTIFICATIONS = "/local/notifications";
const EACH_MS = 10_000;

export function NotificationsPage() {
  const { texts } = useLanguage();
  const { notify, pages } = texts.settings;
  const list = usePolled<readonly NotificationChannel[]>(NOTIFICATIONS, EACH_MS);
  const mail = usePolled<MailServerView>("/local/mail-server", 0);
  const hasMail = mail.value !== null && mail.value.server !== null;
  // A form that was saved begins afresh.
  const [added, setAdded] = useState(0);
  const onAdded = (): void => {
    setAdded(added + 1);
    list.refresh();
  };
  return (
    <>
      <div class="lead">
        <h1>{pages.notifications}</h1>
        <p>{notify.lead}</p>
      </div>
      <div class="cols">
        <div class="stack c7">
          <section class="card" aria-labelledby="h-channels">
            <header>
              <h2 id="h-channels">{notify.channels}</h2>
            </header>
            {list.value === null ? <p class="second">{waitText(list.error, texts)}</p> : null}
            {list.value?.length === 0 ? <p class="second">{notify.none}</p> : null}
            <ul class="list">
              {list.value?.map((channel) => (
                <li key={channel.id}>
                  <Channel channel={channel} hasMail={hasMail} onChange={list.refresh} />
                </li>
              ))}
            </ul>
          </section>
          {mail.value === null ? null : (
            <MailServerCard key={JSON.stringify(mail.value)} mail={mail.value} onChange={mail.refresh} />
          )}
        </div>
        <section class="card c5" aria-labelledby="h-add">
          <header>
            <h2 id="h-add">{notify.add}</h2>
          </header>
          <ChannelForm key={added} channel={null} hasMail={hasMail} onDone={onAdded} />
        </section>
      </div>
    </>
  );
}

interface ChannelProps {
  readonly channel: NotificationChannel;
  readonly hasMail: boolean;
  readonly onChange: () => void;
}

function Channel({ channel, hasMail, onChange }: ChannelProps) {
  const { texts, code } = useLanguage();
  const { notify, origin } = texts.settings;
  const { id, type, host, to, quietHours, digestAt, failures, retryAt } = channel;
  const [isOpen, setOpen] = useState(false);
  const [tested, setTested] = useState<NotificationDelivery | null>(null);
  const task = useTask();
  const url = `${NOTIFICATIONS}/${encodeURIComponent(id)}`;
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "short" });
  const state = [
    failures === 0 ? notify.works : notify.failing(failures),
    ...(retryAt === null ? [] : [notify.retry(time.format(Date.parse(retryAt)))]),
    ...(quietHours === null ? [] : [`${notify.quiet} ${quietHours.from}–${quietHours.until}`]),
    ...(digestAt === null ? [] : [`${notify.digest} ${digestAt}`]),
  ];
  const test = (): void => {
    setTested(null);
    task.run(async () => {
      setTested(await ask<NotificationDelivery>("POST", `${url}/test`));
      onChange();
    });
  };
  return (
    <div class="entry">
      <p>
        <span class="t long">{id}</span>
        <br />
        <span class="small second long">
          {notify.types[type]} · {to === null ? host : to.join(", ")}
        </span>
        <br />
        <span class={failures === 0 ? "small second" : "small error"}>{state.join(" · ")}</span>
      </p>
      <Deliveries deliveries={channel.deliveries} />
      {channel.origin === "file" ? <p class="hint">{origin.file("notifications.channels")}</p> : null}
      {isOpen ? (
        <ChannelForm
          channel={channel}
          hasMail={hasMail}
          onDone={() => {
            setOpen(false);
            onChange();
          }}
        />
      ) : null}
      <div class="acts">
        <Button kind="s" task={task} onClick={test}>
          {notify.test}
          <span class="sr"> {id}</span>
        </Button>
        {channel.origin === "file" ? null : (
          <>
            <Button kind="s" onClick={() => setOpen(!isOpen)}>
              {isOpen ? texts.back : notify.change}
              <span class="sr"> {id}</span>
            </Button>
            <SureButton
              task={task}
              question={notify.removeSure}
              onSure={() => task.run(() => ask("DELETE", url).finally(onChange))}
            >
              {texts.remove}
              <span class="sr"> {id}</span>
            </SureButton>
          </>
        )}
      </div>
      {tested === null ? <Outcome task={task} /> : <Result delivery={tested} />}
    </div>
  );
}

/** What became of a test: in the language of the page, and as the gateway says it. */
function Result({ delivery }: { readonly delivery: NotificationDelivery }) {
  const { notify } = useLanguage().texts.settings;
  const { code, description } = delivery;
  return (
    <p role="status" class={code === "sent" ? "small second" : "error"}>
      {notify.codes[code satisfies DeliveryCode]} <span lang="en">{description}</span>
    </p>
  );
}

function Deliveries({ deliveries }: { readonly deliveries: readonly NotificationDelivery[] }) {
  const { texts, code: language } = useLanguage();
  const { notify } = texts.settings;
  const time = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
  return (
    <details>
      <summary class="small">{notify.deliveries}</summary>
      {deliveries.length === 0 ? <p class="small second">{notify.noDeliveries}</p> : null}
      <ul class="lines">
        {deliveries.map(({ at, isTest, code, description }) => (
          <li key={at} class="small">
            {time.format(Date.parse(at))} {isTest ? `(${notify.isTest}) ` : ""}
            {code === "sent" ? (
              notify.codes.sent
            ) : (
              <span class="error">
                {notify.codes[code]} <span lang="en">{description}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
