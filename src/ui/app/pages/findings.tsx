/** What the gateway noticed about the installation, with what was measured and what can be done. */
import { ask } from "../api.ts";
import { useRight } from "../context.ts";
import { clock, day } from "../format.ts";
import { type Polled, usePolled } from "../live/poll.ts";
import { Button, Outcome, useTask } from "../parts/form.tsx";
import { Icon } from "../parts/icons.tsx";
import type { Finding } from "../shapes.ts";
import { type Texts, useLanguage } from "../texts.ts";

const EACH_MS = 15_000;
/** Findings that say themselves what to do. */
const HAS_REMEDY: ReadonlySet<Finding["check"]> = new Set<Finding["check"]>(["site", "forecast", "backup"]);
const NO_METER = "site-no-grid-meter";

export function findingTitle({ id, check }: Finding, { findings }: Texts): string {
  return id === NO_METER ? findings.noGridMeter : findings.titles[check];
}

export function useFindings(): Polled<readonly Finding[]> {
  const { code } = useLanguage();
  return usePolled<readonly Finding[]>(`/local/checks?language=${code}`, EACH_MS);
}

export function FindingList({
  findings,
  onChange,
}: {
  readonly findings: readonly Finding[];
  readonly onChange: () => void;
}) {
  if (findings.length === 0) return null;
  return (
    <div class="stack">
      {findings.map((finding) => (
        <FindingCard key={finding.id} finding={finding} onChange={onChange} />
      ))}
    </div>
  );
}

function FindingCard({ finding, onChange }: { readonly finding: Finding; readonly onChange: () => void }) {
  const { texts, code } = useLanguage();
  const mayInstall = useRight("install");
  const { findings } = texts;
  const task = useTask({ 409: texts.errors.cannotFix });
  const act = (verb: "confirm" | "dismiss"): void =>
    task.run(async () => {
      await ask("POST", `/local/checks/${encodeURIComponent(finding.id)}/${verb}?language=${code}`);
      onChange();
    });
  const seen = Date.parse(finding.firstSeenAt);
  const [isFuse, isMeter] = [finding.id === "site-no-import-limit", finding.id === NO_METER];
  return (
    <div class="finding">
      <Icon name="alert" />
      <h3>{findingTitle(finding, texts)}</h3>
      {finding.check === "backup" ? <p>{findings.backupAbout}</p> : null}
      {isFuse ? <p>{findings.siteAbout}</p> : <p>{finding.measured}</p>}
      <p class="hint">{findings.seen(`${day(seen, code)}, ${clock(seen, code)}`)}</p>
      {HAS_REMEDY.has(finding.check) ? null : (
        <p>{finding.fix === null ? findings.noFix : `${findings.fixes[finding.fix.kind]} ${findings.undo}`}</p>
      )}
      {mayInstall ? (
        <div class="acts">
          {finding.fix === null ? null : (
            <Button kind="p s" task={task} onClick={() => act("confirm")}>
              {findings.fix}
            </Button>
          )}
          {isFuse ? (
            <a class="b p s" href="#/house">
              {findings.setFuse}
            </a>
          ) : null}
          {isMeter ? (
            <a class="b p s" href="#/add">
              {texts.devices.add}
            </a>
          ) : null}
          {finding.check === "forecast" ? (
            <a class="b p s" href="#/settings/panels">
              {texts.settings.pages.panels}
            </a>
          ) : null}
          {finding.check === "backup" ? (
            <a class="b p s" href="#/settings/backups">
              {findings.openBackups}
            </a>
          ) : null}
          <Button kind="s" task={task} onClick={() => act("dismiss")}>
            {findings.dismiss}
          </Button>
        </div>
      ) : null}
      <Outcome task={task} />
    </div>
  );
}
