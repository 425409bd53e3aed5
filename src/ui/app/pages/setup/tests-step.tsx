/** Each device that takes commands gets a small one, and its value back. */
import { ApiError, ask } from "../../api.ts";
import { usePage } from "../../context.ts";
import { number } from "../../format.ts";
import { nameOf } from "../../live/assets.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Outcome, useTask } from "../../parts/form.tsx";
import { type Language, useLanguage } from "../../texts.ts";
import { StateMark, StepLead } from "./setup.tsx";
import type { ControlTest, Testable } from "./use-setup.ts";

const PATH = "/local/setup/tests";
const EACH_MS = 2_000;

export function TestsStep({ onChange }: { readonly onChange: () => void }) {
  const { texts } = useLanguage();
  const { tests } = texts.setup;
  const list = usePolled<readonly Testable[]>(PATH, EACH_MS);
  const task = useTask();
  const devices = list.value ?? [];
  const ready = devices.filter(({ refusal, last }) => refusal === null && last?.state !== "passed");
  const changed = (): void => {
    list.refresh();
    onChange();
  };
  const all = (): void => task.run(() => testAll(ready.map(({ assetId }) => assetId)).finally(changed));
  return (
    <>
      <StepLead title={tests.title}>{tests.lead}</StepLead>
      <div class="stack">
        {list.value !== null && devices.length === 0 ? <p class="card">{tests.none}</p> : null}
        {ready.length === 0 && !task.isBusy ? null : (
          <Button kind="p full" task={task} onClick={all}>
            {task.isBusy ? tests.states.running : tests.all}
          </Button>
        )}
        <Outcome task={task} />
        {devices.length === 0 ? null : (
          <ul class="card flush list wraps">
            {devices.map((device) => (
              <TestRow key={device.assetId} device={device} isWaiting={task.isBusy} onChange={changed} />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** One after the other, as the gateway runs one at a time. What is refused by now is left to its own line. */
async function testAll(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    try {
      await ask("POST", `${PATH}/${id}`, {});
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) continue;
      throw error;
    }
    for (let isRunning = true; isRunning; ) {
      await new Promise((done) => setTimeout(done, EACH_MS));
      const devices = await ask<readonly Testable[]>("GET", PATH);
      isRunning = devices.some(({ last }) => last?.state === "running");
    }
  }
}

interface RowProps {
  readonly device: Testable;
  readonly isWaiting: boolean;
  readonly onChange: () => void;
}

function TestRow({ device, isWaiting, onChange }: RowProps) {
  const language = useLanguage();
  const { texts } = language;
  const { tests } = texts.setup;
  const { house } = usePage();
  const task = useTask();
  const { assetId, assetType, last, refusal } = device;
  const asset = house.assets.find(({ id }) => id === assetId);
  const isRunning = last?.state === "running";
  const state = last === null ? "open" : last.state === "passed" ? "done" : isRunning ? "open" : "warn";
  const run = (method: "POST" | "DELETE"): void =>
    task.run(() => ask(method, `${PATH}/${assetId}`, ...(method === "POST" ? [{}] : [])).finally(onChange));
  return (
    <li class="li">
      <StateMark state={state} />
      <span>
        <span class="t">{asset === undefined ? texts.devices.kinds[assetType] : nameOf(asset)}</span>
        <br />
        <span class="d">
          {[texts.devices.kinds[assetType], last === null ? null : whatOf(last, language)].filter(Boolean).join(" · ")}
        </span>
        {last === null ? null : <p class="small">{outcomeOf(last, language)}</p>}
        {refusal === null || isRunning || refusal.code === "another-test" || last?.state === "passed" ? null : (
          <p class="small second">{tests.refusals[refusal.code]}</p>
        )}
        <Outcome task={task} />
      </span>
      <span class="e">
        {isRunning ? (
          <Button kind="q s" task={task} onClick={() => run("DELETE")}>
            {tests.stop}
          </Button>
        ) : refusal === null && !isWaiting ? (
          <Button kind="s" task={task} onClick={() => run("POST")}>
            {last === null ? tests.test : tests.again}
            <span class="sr"> {asset === undefined ? "" : nameOf(asset)}</span>
          </Button>
        ) : null}
      </span>
    </li>
  );
}

/** What was asked of the device. */
export function whatOf({ point, before, asked }: ControlTest, { texts, code }: Language): string {
  const shown = (value: number | boolean | string): string =>
    typeof value === "number" ? number(value, code, Number.isInteger(value) ? 0 : 1) : String(value);
  return texts.setup.tests.what[point](shown(before), shown(asked));
}

/** What came of it. */
export function outcomeOf({ state, cause, tookSeconds }: ControlTest, { texts, code }: Language): string {
  const { states, causes } = texts.setup.tests;
  if (cause !== null) return causes[cause];
  if (state === "passed") return states.passed(number(tookSeconds ?? 0, code, 0));
  return state === "interrupted" ? states.interrupted : states.running;
}
