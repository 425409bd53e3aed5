/** Who changed and commanded what, newest first. */
import { useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { usePage, useRight } from "../../context.ts";
import { waitText } from "../../error-text.ts";
import { nameOf } from "../../live/assets.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Outcome, useTask } from "../../parts/form.tsx";
import { type Texts, useLanguage } from "../../texts.ts";
import { deedOf } from "./deeds.ts";

interface Entry {
  readonly id: string;
  readonly lastAt: string;
  readonly count: number;
  readonly who: { readonly kind: keyof Texts["house"]["audit"]["kinds"]; readonly name: string | null };
  readonly method: string | null;
  readonly path: string;
  readonly outcome: "done" | "refused" | "failed";
}

interface Page {
  readonly data: readonly Entry[];
  readonly pagination: { readonly after: string | null };
}

const URL = "/local/audit";
const EACH_MS = 15_000;

export function AuditPage() {
  const { texts } = useLanguage();
  const { audit } = texts.house;
  const mayManage = useRight("people");
  return (
    <>
      <div class="lead">
        <h1>{audit.title}</h1>
        <p>{mayManage ? audit.about : audit.ownersOnly}</p>
      </div>
      {mayManage ? <Entries /> : null}
    </>
  );
}

function Entries() {
  const { texts } = useLanguage();
  const newest = usePolled<Page>(URL, EACH_MS);
  const [older, setOlder] = useState<readonly Page[]>([]);
  const task = useTask();
  if (newest.value === null) return <p class="second">{waitText(newest.error, texts)}</p>;
  const after = (older.at(-1) ?? newest.value).pagination.after;
  const more = (): void =>
    task.run(async () =>
      setOlder([...older, await ask<Page>("GET", `${URL}?after=${encodeURIComponent(after ?? "")}`)]),
    );
  // What happened meanwhile pushes entries from the first page to the second.
  const entries = new Map(
    [newest.value, ...older].flatMap(({ data }) => data.map((entry) => [entry.id, entry] as const)),
  );
  return (
    <section class="card" aria-label={texts.house.audit.title}>
      <ol class="list">
        {[...entries.values()].map((entry) => (
          <li class="row between" key={entry.id}>
            <Deed entry={entry} />
          </li>
        ))}
      </ol>
      {after === null ? null : (
        <div class="acts">
          <Button kind="s" task={task} onClick={more}>
            {texts.house.audit.older}
          </Button>
        </div>
      )}
      <Outcome task={task} />
    </section>
  );
}

function Deed({ entry: { lastAt, count, who, method, path, outcome } }: { readonly entry: Entry }) {
  const { texts, code } = useLanguage();
  const { audit } = texts.house;
  const { house } = usePage();
  const time = new Intl.DateTimeFormat(code, { dateStyle: "short", timeStyle: "short" });
  const asset = house.assets.find(({ id }) => path.includes(id));
  const about = [
    time.format(Date.parse(lastAt)),
    who.name ?? audit.kinds[who.kind],
    count === 1 ? null : audit.times(String(count)),
  ];
  return (
    <>
      <span>
        <span class="t">
          {audit.deeds[deedOf(path)]}
          {asset === undefined ? "" : `: ${nameOf(asset)}`}
        </span>
        <br />
        <span class="small second">{about.filter((part) => part !== null).join(" · ")}</span>
        <br />
        <code class="small second long">{[method, path].filter((part) => part !== null).join(" ")}</code>
      </span>
      <span class={outcome === "done" ? "small second" : "error"}>{audit.outcomes[outcome]}</span>
    </>
  );
}
