/** The people of the house, what is still open, and the hand-over. */
import { useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { clock, day } from "../../format.ts";
import { Button, Field, Outcome, useTask } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";
import { PeopleCard } from "../people.tsx";
import { StateMark, StepLead } from "./setup.tsx";
import { type SetupState, type Step, screenOf } from "./use-setup.ts";

interface Props {
  readonly setup: SetupState;
  readonly onChange: () => void;
}

export function HandOverStep({ setup, onChange }: Props) {
  const { texts, code } = useLanguage();
  const { handOver } = texts.setup;
  const open = setup.steps.filter(({ step, state }) => state === "open" && step !== "hand-over");
  const at = setup.handOver === null ? null : Date.parse(setup.handOver.at);
  return (
    <>
      <StepLead title={handOver.title}>{handOver.lead}</StepLead>
      <div class="stack">
        <PeopleCard onChange={onChange} />
        {setup.handOver === null || at === null ? (
          <Form open={open} onChange={onChange} />
        ) : (
          <Done
            text={handOver.done(setup.handOver.by.name, `${day(at, code)}, ${clock(at, code)}`)}
            onChange={onChange}
          />
        )}
        <a class="b full" href="#/setup/report">
          {handOver.report}
        </a>
      </div>
    </>
  );
}

function Form({ open, onChange }: { readonly open: readonly Step[]; readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { handOver, steps } = texts.setup;
  const [note, setNote] = useState("");
  const task = useTask({ 409: texts.errors.stepsOpen });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    task.run(() => ask("PUT", "/local/setup/hand-over", { isHandedOver: true, note }).finally(onChange));
  };
  return (
    <form class="card form" onSubmit={submit}>
      {open.length === 0 ? null : (
        <>
          <p class="small second">{handOver.missing}</p>
          <ul class="list">
            {open.map((step) => (
              <OpenStep key={step.step} step={step} onChange={onChange} />
            ))}
          </ul>
        </>
      )}
      <Field label={handOver.note} value={note} onText={setNote} maxLength={500} />
      <Button type="submit" kind="p full" task={task} isDisabled={open.length > 0}>
        {handOver.submit}
      </Button>
      <p class="sr">{open.length > 0 ? open.map(({ step }) => steps[step]).join(", ") : ""}</p>
      <Outcome task={task} />
    </form>
  );
}

function OpenStep({ step, onChange }: { readonly step: Step; readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const task = useTask();
  const leaveOut = (): void =>
    task.run(() => ask("PUT", `/local/setup/steps/${step.step}`, { isSkipped: true }).finally(onChange));
  return (
    <li class="row between">
      <span class="row">
        <StateMark state="open" />
        <a href={`#/setup/${screenOf(step.step)}`}>{texts.setup.steps[step.step]}</a>
      </span>
      <Button kind="q s" task={task} onClick={leaveOut}>
        {texts.setup.leaveOut}
        <span class="sr"> {texts.setup.steps[step.step]}</span>
      </Button>
    </li>
  );
}

function Done({ text, onChange }: { readonly text: string; readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const task = useTask();
  const reopen = (): void =>
    task.run(() => ask("PUT", "/local/setup/hand-over", { isHandedOver: false }).finally(onChange));
  return (
    <div class="card stack">
      <p class="row" role="status">
        <StateMark state="done" />
        {text}
      </p>
      <a class="b p full" href="#/">
        {texts.setup.handOver.open}
      </a>
      <Button kind="q" task={task} onClick={reopen}>
        {texts.setup.handOver.reopen}
      </Button>
      <Outcome task={task} />
    </div>
  );
}
