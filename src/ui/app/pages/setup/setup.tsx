/** The guided setup: what is done and what is next, and one screen for each step. */
import type { ComponentChildren } from "preact";
import { ask } from "../../api.ts";
import { useRight } from "../../context.ts";
import { waitText } from "../../error-text.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Outcome, useTask } from "../../parts/form.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useLanguage } from "../../texts.ts";
import { ConnectionForm, type Site } from "../house.tsx";
import { ChecksStep } from "./checks-step.tsx";
import { ClockCard } from "./clock-card.tsx";
import { DevicesStep } from "./devices-step.tsx";
import { HandOverStep } from "./hand-over-step.tsx";
import { ImportPage } from "./import.tsx";
import { PricesStep } from "./prices-step.tsx";
import { ReportPage } from "./report.tsx";
import { TestsStep } from "./tests-step.tsx";
import { SCREENS, type ScreenName, type SetupState, type Step, screenOf, useSetup } from "./use-setup.ts";

export function SetupPage({ page }: { readonly page: string | undefined }) {
  const { texts } = useLanguage();
  const mayInstall = useRight("install");
  if (!mayInstall) return <p class="lead">{texts.notAllowed}</p>;
  if (page === "import") return <ImportPage />;
  return page === "report" ? <ReportPage /> : <Screens page={page} />;
}

function Screens({ page }: { readonly page: string | undefined }) {
  const { texts } = useLanguage();
  const setup = useSetup();
  const name = SCREENS.find((each) => each === page);
  if (setup.value === null) return <p class="lead">{waitText(setup.error, texts)}</p>;
  if (name === undefined) return <Overview setup={setup.value} onChange={setup.refresh} />;
  return <Screen key={name} name={name} setup={setup.value} onChange={setup.refresh} />;
}

interface StateProps {
  readonly setup: SetupState;
  readonly onChange: () => void;
}

function Overview({ setup, onChange }: StateProps) {
  const { texts } = useLanguage();
  const finished = setup.steps.filter(({ state }) => state !== "open").length;
  const leftOut = setup.steps.filter(({ state }) => state === "skipped").length;
  const { current, steps } = setup;
  const progress = texts.setup.progress(finished - leftOut, steps.length, leftOut);
  return (
    <>
      <div class="lead">
        <h1>{texts.setup.title}</h1>
        <p>{texts.setup.lead}</p>
      </div>
      <div class="stack narrow">
        <p class="small second" role="status">
          {progress}
        </p>
        <progress class="bar" value={finished} max={steps.length} aria-label={progress} />
        {current === null ? null : (
          <a class="b p full" href={`#/setup/${screenOf(current)}`}>
            {finished === 0 ? texts.setup.begin : texts.setup.go}
          </a>
        )}
        <ol class="card flush list wraps">
          {steps.map((step) => (
            <StepRow key={step.step} step={step} onChange={onChange} />
          ))}
        </ol>
        <a class="b full" href="#/setup/report">
          {texts.setup.handOver.report}
        </a>
        <a class="b full" href="#/setup/import">
          {texts.setup.import.title}
        </a>
      </div>
    </>
  );
}

function StepRow({ step, onChange }: { readonly step: Step; readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const task = useTask();
  const takeUp = (): void =>
    task.run(() => ask("PUT", `/local/setup/steps/${step.step}`, { isSkipped: false }).finally(onChange));
  return (
    <li class="li">
      <StateMark state={step.state} />
      <span>
        <a class="t" href={`#/setup/${screenOf(step.step)}`}>
          {texts.setup.steps[step.step]}
        </a>
        <br />
        <span class="d">{texts.setup.reasons[step.reason]}</span>
        <Outcome task={task} />
      </span>
      <span class="e">
        <span class="small second">
          {step.state === "open" && step.all !== null ? `${step.done}/${step.all}` : texts.setup.states[step.state]}
        </span>
        {step.state === "skipped" ? (
          <Button kind="q s" task={task} onClick={takeUp}>
            {texts.setup.takeUp}
          </Button>
        ) : null}
      </span>
    </li>
  );
}

/** A mark that is a shape, too: not everybody sees its colour. */
export function StateMark({ state }: { readonly state: Step["state"] | "warn" }) {
  const icon = { done: "check", open: "clock", skipped: "off", warn: "alert" } as const;
  return (
    <span class={`mark-of ${state}`}>
      <Icon name={icon[state]} />
    </span>
  );
}

function Screen({ name, setup, onChange }: StateProps & { readonly name: ScreenName }) {
  const { texts } = useLanguage();
  const at = SCREENS.indexOf(name);
  const own = setup.steps.find(({ step }) => step === name);
  return (
    <div class="narrow">
      <p class="row between small">
        <a href="#/setup">{texts.setup.overview}</a>
        <span class="second">{texts.setup.stepOf(at + 1, SCREENS.length)}</span>
      </p>
      <progress
        class="bar"
        value={at + 1}
        max={SCREENS.length}
        aria-label={texts.setup.stepOf(at + 1, SCREENS.length)}
      />
      <Body name={name} setup={setup} onChange={onChange} />
      {own === undefined || name === "hand-over" ? null : (
        <Foot step={own} next={SCREENS[at + 1] ?? "hand-over"} onChange={onChange} />
      )}
    </div>
  );
}

function Body({ name, ...state }: StateProps & { readonly name: ScreenName }) {
  switch (name) {
    case "site":
      return <SiteStep onChange={state.onChange} />;
    case "devices":
      return <DevicesStep onChange={state.onChange} />;
    case "checks":
      return <ChecksStep onChange={state.onChange} />;
    case "control-tests":
      return <TestsStep onChange={state.onChange} />;
    case "prices":
      return <PricesStep step={state.setup.steps.find(({ step }) => step === "prices")} />;
    case "hand-over":
      return <HandOverStep {...state} />;
    default:
      return name satisfies never;
  }
}

export function StepLead({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="lead">
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
  );
}

function SiteStep({ onChange }: { readonly onChange: () => void }) {
  const { texts, code } = useLanguage();
  const site = usePolled<Site>(`/local/site?language=${code}`, 0);
  const changed = (): void => {
    site.refresh();
    onChange();
  };
  return (
    <>
      <StepLead title={texts.setup.site.title}>{texts.setup.site.lead}</StepLead>
      <div class="card">
        {site.value === null ? (
          <p class="second">{waitText(site.error, texts)}</p>
        ) : (
          <ConnectionForm site={site.value} onChange={changed} />
        )}
      </div>
      <ClockCard />
    </>
  );
}

interface FootProps {
  readonly step: Step;
  readonly next: ScreenName;
  readonly onChange: () => void;
}

/** The way on: a step that is open can be left out, and is then in the report as left out. */
function Foot({ step, next, onChange }: FootProps) {
  const { texts } = useLanguage();
  const task = useTask();
  const go = (): void => {
    location.hash = `#/setup/${next}`;
  };
  const leaveOut = (): void =>
    task.run(async () => {
      await ask("PUT", `/local/setup/steps/${step.step}`, { isSkipped: true });
      onChange();
      go();
    });
  return (
    <div class="stack foot">
      <p class="row small second" role="status">
        <StateMark state={step.state} />
        {texts.setup.reasons[step.reason]}
      </p>
      {step.state === "open" ? (
        <Button kind="full" task={task} onClick={leaveOut}>
          {texts.setup.leaveOut}
        </Button>
      ) : (
        <Button kind="p full" onClick={go}>
          {texts.setup.next}
        </Button>
      )}
      <Outcome task={task} />
    </div>
  );
}
