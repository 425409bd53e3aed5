/** The report that is handed over: on the screen, on paper, and as JSON. */
import type { ComponentChildren } from "preact";
import { usePage } from "../../context.ts";
import { waitText } from "../../error-text.ts";
import { clock, day, number } from "../../format.ts";
import { nameOf } from "../../live/assets.ts";
import { usePolled } from "../../live/poll.ts";
import { Button } from "../../parts/form.tsx";
import { type Language, useLanguage } from "../../texts.ts";
import { shareText } from "../feed-in.ts";
import { findingTitle } from "../findings.tsx";
import { verdictOf } from "./checks-step.tsx";
import { outcomeOf, whatOf } from "./tests-step.tsx";
import type { Deed, LoadResult, Report } from "./use-setup.ts";

const PATH = "/local/setup/report";

export function ReportPage() {
  const language = useLanguage();
  const { texts } = language;
  const { setup } = texts;
  const path = `${PATH}?language=${language.code}`;
  const report = usePolled<Report>(path, 0);
  if (report.value === null) return <p class="lead">{waitText(report.error, texts)}</p>;
  const { house, createdAt, handOver, ...parts } = report.value;
  return (
    <article class="report narrow">
      <div class="lead">
        <h1>{setup.report.title}</h1>
        <p>
          {house.name} · {setup.report.made(moment(createdAt, language))}
        </p>
      </div>
      <div class="acts no-print">
        <Button kind="p s" onClick={() => print()}>
          {setup.report.print}
        </Button>
        <a class="b s" href={path} download="hemgate-report.json">
          {setup.report.json}
        </a>
      </div>
      <p>
        {handOver === null
          ? setup.report.notHandedOver
          : setup.handOver.done(handOver.by.name, moment(handOver.at, language))}
      </p>
      {handOver?.note == null ? null : (
        <p>
          {setup.report.remark}: {handOver.note}
        </p>
      )}
      <Part title={setup.report.steps}>
        <Rows
          rows={parts.steps.map(({ step, state, reason }) => [
            setup.steps[step],
            `${setup.states[state]}. ${setup.reasons[reason]}`,
          ])}
        />
      </Part>
      <Limits report={report.value} />
      <Devices report={report.value} />
      <Part title={setup.report.loads}>
        <Rows rows={parts.loadChecks.map((each) => [done(each, language), loadText(each, report.value, language)])} />
      </Part>
      <Tests report={report.value} />
      <Findings report={report.value} />
      <Part title={setup.report.people}>
        <Rows rows={parts.people.map(({ name, role }) => [name, texts.house.roles[role]])} />
      </Part>
      <p class="signature print-only">{setup.report.signature}</p>
    </article>
  );
}

function moment(at: string, { code }: Language): string {
  const ms = Date.parse(at);
  return `${day(ms, code)} ${new Date(ms).getFullYear()}, ${clock(ms, code)}`;
}

function done({ by, at }: Deed, language: Language): string {
  return language.texts.setup.report.by(by.name, moment(at, language));
}

function loadText(check: LoadResult, report: Report | null, language: Language): string {
  const isFixed = report?.findings.some(({ id, state }) => id === check.findingId && state === "CONFIRMED") === true;
  return [verdictOf(check, language), isFixed ? language.texts.setup.checks.fixed : ""].join(" ").trim();
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
      </header>
      {children}
    </section>
  );
}

function Rows({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) {
  const { texts } = useLanguage();
  if (rows.length === 0) return <p class="small second">{texts.setup.report.none}</p>;
  return (
    <dl class="about">
      {rows.map(([name, value], at) => (
        <div key={`${name} ${at}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Limits({ report: { site, gridLimits } }: { readonly report: Report }) {
  const { texts, code } = useLanguage();
  const { house, setup } = texts;
  const shown = (value: number | undefined): string =>
    value === undefined ? setup.report.noLimit : number(value, code, Number.isInteger(value) ? 0 : 1);
  const { fuseA, phases, importKw, feedInKw } = site.connection;
  const share = shareText(site.connection, code);
  const rows = [
    [house.fuse, shown(fuseA)],
    ...(phases === undefined ? [] : [[house.phases, shown(phases)] as const]),
    [house.importLimit, shown(importKw)],
    [house.feedIn, share === null ? shown(feedInKw) : house.feedInShare(share)],
    ...gridLimits.map(({ name }) => [setup.report.operator, name] as const),
  ] as const;
  return (
    <Part title={setup.report.limits}>
      <Rows rows={rows} />
    </Part>
  );
}

/** A device is called as its assets are; what it does not report is not shown. */
function Devices({ report: { devices } }: { readonly report: Report }) {
  const { texts } = useLanguage();
  const { house } = usePage();
  const { report } = texts.setup;
  const rows = devices.map(({ deviceId, manufacturer, model, serial, firmware, isReachable, assets }) => {
    const known = house.assets.find(({ id }) => assets.some(({ assetId }) => assetId === id));
    const facts = [
      [...new Set(assets.map(({ assetType }) => texts.devices.kinds[assetType]))].join(", "),
      [manufacturer, model].filter((part) => part !== null && part !== "").join(" "),
      serial === null ? "" : `${texts.devices.serial} ${serial}`,
      firmware === null ? "" : `${report.firmware} ${firmware}`,
      isReachable ? report.answers : report.silent,
    ];
    return [known === undefined ? deviceId : nameOf(known), facts.filter((part) => part !== "").join(" · ")] as const;
  });
  return (
    <Part title={texts.devices.all}>
      <Rows rows={rows} />
    </Part>
  );
}

function Tests({ report: { tests } }: { readonly report: Report }) {
  const language = useLanguage();
  const { texts } = language;
  const { house } = usePage();
  const rows = tests.map((test) => {
    const asset = house.assets.find(({ id }) => id === test.assetId);
    const name = asset === undefined ? texts.devices.kinds[test.assetType] : nameOf(asset);
    const value = (
      <>
        {whatOf(test, language)}
        {texts.colon}
        {outcomeOf(test, language)} <span class="second">({done(test, language)})</span>
      </>
    );
    return [name, value] as const;
  });
  return (
    <Part title={texts.setup.report.tests}>
      <Rows rows={rows} />
    </Part>
  );
}

function Findings({ report: { findings } }: { readonly report: Report }) {
  const { texts } = useLanguage();
  const { report } = texts.setup;
  const rows = findings.map((finding) => {
    const { measured, state } = finding;
    const value = (
      <>
        <b>{report.findingStates[state]}</b> <span>{measured}</span>
      </>
    );
    return [findingTitle(finding, texts), value] as const;
  });
  return (
    <Part title={report.findings}>
      <Rows rows={rows} />
    </Part>
  );
}
