/** A kettle shows whether the grid meter is right; findings have their fix; panels and batteries are seen at work. */
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api.ts";
import { usePage } from "../../context.ts";
import { power, text } from "../../format.ts";
import { nameOf } from "../../live/assets.ts";
import { usePolled } from "../../live/poll.ts";
import { Button, Choice, Outcome, useTask } from "../../parts/form.tsx";
import type { Finding } from "../../shapes.ts";
import { type Language, useLanguage } from "../../texts.ts";
import { FindingList } from "../findings.tsx";
import { StateMark, StepLead } from "./setup.tsx";
import type { LoadCheck, LoadResult, Report } from "./use-setup.ts";

const WATCH_MS = 1_000;
const LOOK_MS = 5_000;
const LINES = ["", "1", "2", "3"] as const;

export function ChecksStep({ onChange }: { readonly onChange: () => void }) {
  const { texts, code } = useLanguage();
  const report = usePolled<Report>(`/local/setup/report?language=${code}`, LOOK_MS);
  const findings = report.value?.findings ?? [];
  const open = findings.filter(({ state, id }) => state === "OPEN" && id !== "site-no-import-limit");
  const changed = (): void => {
    report.refresh();
    onChange();
  };
  return (
    <>
      <StepLead title={texts.setup.checks.title}>{texts.setup.checks.lead}</StepLead>
      <div class="stack">
        <Kettle findings={findings} onEnd={changed} />
        {report.value === null ? null : open.length === 0 ? (
          <p class="row small second">
            <StateMark state="done" />
            {texts.setup.checks.fits}
          </p>
        ) : (
          <FindingList findings={open} onChange={changed} />
        )}
        <SeenCard seen={report.value?.seen ?? []} />
      </div>
    </>
  );
}

function Kettle({ findings, onEnd }: { readonly findings: readonly Finding[]; readonly onEnd: () => void }) {
  const language = useLanguage();
  const { checks } = language.texts.setup;
  const { nowMs } = usePage();
  const [line, setLine] = useState<(typeof LINES)[number]>("");
  const check = usePolled<LoadCheck>("/local/setup/load-check", WATCH_MS);
  const task = useTask({ 409: language.texts.errors.loadCheck });
  const { running = null, results = [] } = check.value ?? {};
  const newest = results[0]?.at ?? "";
  // A result may have brought a finding.
  useEffect(onEnd, [newest]);
  const set = (method: "POST" | "DELETE", body?: object): void =>
    task.run(async () => {
      await ask(method, "/local/setup/load-check", body);
      check.refresh();
      onEnd();
    });
  return (
    <section class="card" aria-labelledby="h-kettle">
      <header>
        <h2 id="h-kettle">{running === null ? checks.kettle : checks.now}</h2>
      </header>
      <div class="stack">
        {running === null ? (
          <>
            <p class="small second">{checks.how}</p>
            <Choice
              legend={checks.phase}
              name="line"
              value={line}
              choices={LINES.map((value) => ({ value, label: value === "" ? checks.unknownPhase : `L${value}` }))}
              onChoose={setLine}
            />
            <Button kind="p full" task={task} onClick={() => set("POST", { line: line === "" ? null : Number(line) })}>
              {checks.start}
            </Button>
          </>
        ) : (
          <>
            <p class="row between" role="status">
              <span>
                {checks.change} <b class="v">{signed(running.changeW, language.code)}</b>
              </span>
              <span class="small second">
                {checks.left(Math.max(0, Math.round((Date.parse(running.endsAt) - nowMs) / 1_000)))}
              </span>
            </p>
            <Button kind="full" task={task} onClick={() => set("DELETE")}>
              {checks.stop}
            </Button>
          </>
        )}
        <Outcome task={task} />
        <ul class="list" aria-live="polite">
          {results.map((result) => (
            <ResultRow key={`${result.at} ${result.lines.join()}`} result={result} findings={findings} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function ResultRow({ result, findings }: { readonly result: LoadResult; readonly findings: readonly Finding[] }) {
  const language = useLanguage();
  const { checks } = language.texts.setup;
  const isFixed = findings.some(({ id, state }) => id === result.findingId && state === "CONFIRMED");
  return (
    <li class="row">
      <StateMark state={result.verdict === "right" || isFixed ? "done" : "warn"} />
      <span>
        {verdictOf(result, language)} {isFixed ? <b>{checks.fixed}</b> : null}
      </span>
    </li>
  );
}

/** What a check with a load came to, as a sentence. */
export function verdictOf({ verdict, meterW, lines }: LoadResult, { texts, code }: Language): string {
  const { verdicts, meter } = texts.setup.checks;
  const watts = text(power(Math.abs(meterW ?? 0) / 1_000, code));
  const where = lines.length === 0 ? meter : lines.map((line) => `L${line}`).join(", ");
  const sentence = verdicts[verdict];
  return typeof sentence === "string" ? sentence : sentence(watts, where);
}

function signed(watts: number | null, code: string): string {
  if (watts === null) return "–";
  return `${watts < 0 ? "\u2212" : "+"}${text(power(Math.abs(watts) / 1_000, code))}`;
}

function SeenCard({ seen }: { readonly seen: Report["seen"] }) {
  const { texts, code } = useLanguage();
  const { house } = usePage();
  const { checks } = texts.setup;
  if (seen.length === 0) return null;
  const words = (watts: number): string => text(power(watts / 1_000, code));
  return (
    <section class="card" aria-labelledby="h-work">
      <header>
        <h2 id="h-work">{checks.work}</h2>
      </header>
      <p class="small second">{checks.workLead}</p>
      <ul class="list">
        {seen.map(({ assetId, assetType, positive, negative }) => {
          const asset = house.assets.find(({ id }) => id === assetId);
          const parts = [
            positive === null
              ? null
              : (assetType === "battery" ? checks.charged : checks.produced)(words(positive.powerW)),
            negative === null ? null : checks.discharged(words(negative.powerW)),
          ].filter((part) => part !== null);
          return (
            <li class="row" key={assetId}>
              <StateMark state={parts.length > 0 ? "done" : "open"} />
              <span>
                <span class="t">{asset === undefined ? texts.devices.kinds[assetType] : nameOf(asset)}</span>{" "}
                <span class="small second">
                  {texts.devices.kinds[assetType]} · {parts.length > 0 ? parts.join(", ") : checks.notYet}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
