/** Updates of the gateway itself: the versions, a look for a later one, and how an update goes. */
import type { UpdateTaskView, UpdateView } from "../../../../domain/updates/update-view.ts";
import { ask } from "../../api.ts";
import { Button, Outcome, useTask } from "../../parts/form.tsx";
import { TaskPage } from "../../parts/task-page.tsx";
import { useLanguage } from "../../texts.ts";
import { SureButton } from "./sure.tsx";

const URL = "/local/update";
const STEPS = ["requested", "prepared", "installed"] as const;

interface StateProps {
  readonly state: UpdateView;
}

interface TaskProps {
  readonly task: UpdateTaskView;
}

export function UpdatesPage() {
  const { update } = useLanguage().texts.settings;
  return (
    <TaskPage<UpdateView> url={URL} title={update.title} lead={update.lead} right="people" refusal={update.ownersOnly}>
      {(value, { refresh }) => <Updates state={value} onChange={refresh} />}
    </TaskPage>
  );
}

function Updates({ state: value, onChange }: StateProps & { readonly onChange: () => void }) {
  const { update } = useLanguage().texts.settings;
  const { isUpdatable, task } = value;
  return (
    <div class="cols">
      <div class="stack c7">
        <section class="card" aria-labelledby="h-versions">
          <header>
            <h2 id="h-versions">{update.versions}</h2>
          </header>
          <div class="stack">
            <Versions state={value} />
            {isUpdatable ? <Begin state={value} onChange={onChange} /> : <p>{update.notPackage}</p>}
          </div>
        </section>
      </div>
      <div class="stack c5">
        {task === null ? null : (
          <section class="card" aria-labelledby="h-progress">
            <header>
              <h2 id="h-progress">{update.progress}</h2>
            </header>
            <Progress task={task} />
          </section>
        )}
        {isUpdatable && task?.outcome === "kept" ? <GoBack /> : null}
      </div>
    </div>
  );
}

function Versions({ state: { version, available, task, isUpdatable } }: StateProps) {
  const { texts, code } = useLanguage();
  const { update } = texts.settings;
  const time = new Intl.DateTimeFormat(code, { dateStyle: "medium", timeStyle: "short" });
  const lookedAt = task?.kind === "check" ? task.endedAt : null;
  return (
    <dl class="about">
      <dt>{update.running}</dt>
      <dd>{version ?? update.unknown}</dd>
      {isUpdatable ? (
        <>
          <dt>{update.newest}</dt>
          <dd>{available === null ? update.noneKnown : available.version}</dd>
        </>
      ) : null}
      {lookedAt === null ? null : (
        <>
          <dt>{update.lookedAt}</dt>
          <dd>{time.format(Date.parse(lookedAt))}</dd>
        </>
      )}
    </dl>
  );
}

function Begin({ state, onChange }: StateProps & { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { update } = texts.settings;
  const { available } = state;
  const task = useTask({ 409: update.busy });
  const begin = (kind: "check" | "install"): void => task.run(() => ask("POST", `${URL}/${kind}`).finally(onChange));
  const runs = state.task?.state === "running";
  return (
    <>
      {available?.isAutomatic === true ? <p class="small second">{update.automatic}</p> : null}
      {runs ? null : (
        <div class="acts">
          <Button kind="s" task={task} onClick={() => begin("check")}>
            {update.check}
          </Button>
          {available === null ? null : (
            <SureButton task={task} question={update.sure} onSure={() => begin("install")}>
              {update.install(available.version)}
            </SureButton>
          )}
        </div>
      )}
      <Outcome task={task} />
    </>
  );
}

/** How far it is, or how it ended. */
function Progress({ task }: TaskProps) {
  const { texts } = useLanguage();
  const { update } = texts.settings;
  const { kind, state, step } = task;
  return (
    <div class="stack">
      {kind === "check" && state === "running" ? <p role="status">{update.looking}</p> : null}
      {kind === "install" ? (
        <ol class="list">
          {STEPS.map((each, at) => {
            const now = STEPS.indexOf(step);
            const word = at < now || task.outcome === "kept" ? "done" : at > now ? "open" : "now";
            const isShown = state === "running" || word === "done";
            return (
              <li class="row between" key={each} {...(word === "now" && isShown ? { "aria-current": "step" } : {})}>
                <span>{update.steps[each]}</span>
                <span class="small second">{isShown ? update.states[word] : null}</span>
              </li>
            );
          })}
        </ol>
      ) : null}
      {state === "running" ? <p class="small second">{update.leave}</p> : <Ended task={task} />}
    </div>
  );
}

function Ended({ task: { outcome, from, to, reason, state } }: TaskProps) {
  const { outcomes, unknown } = useLanguage().texts.settings.update;
  if (outcome === null) return null;
  const [old, later] = [from ?? unknown, to ?? unknown];
  const said = outcomes[outcome];
  const text =
    typeof said === "string" ? said : outcome === "rolled-back" ? outcomes[outcome](old, later) : said(later, later);
  return (
    <p class={state === "failed" ? "error" : "small"} role="status">
      {text} {reason === null ? null : <span lang="en">{reason}</span>}
    </p>
  );
}

function GoBack() {
  const { update } = useLanguage().texts.settings;
  return (
    <section class="card" aria-labelledby="h-back">
      <header>
        <h2 id="h-back">{update.back}</h2>
      </header>
      <div class="stack">
        <p class="small">{update.backAbout}</p>
        <textarea
          class="file"
          aria-label={update.command}
          readOnly
          rows={2}
          lang="en"
          value="sudo hemgate update rollback --yes"
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
    </section>
  );
}
