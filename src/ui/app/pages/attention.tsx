/** What needs a person: alarms of the energy manager, devices that are silent, findings of the checks. */
import { usePage } from "../context.ts";
import { age } from "../format.ts";
import { nameOf, readAt } from "../live/assets.ts";
import { Icon } from "../parts/icons.tsx";
import type { EnergyState } from "../shapes.ts";
import { type Language, useLanguage } from "../texts.ts";
import { FindingList, useFindings } from "./findings.tsx";

interface AttentionProps {
  /** `null` while it is not known. */
  readonly state: EnergyState | null;
}

export function Attention({ state }: AttentionProps) {
  const language = useLanguage();
  const { texts } = language;
  const { house, nowMs } = usePage();
  const findings = useFindings();
  const open = findings.value?.filter((finding) => finding.state === "OPEN") ?? [];
  const alarms = state?.alarms ?? [];
  const silent = house.isConnected ? house.assets.filter(({ isReachable }) => !isReachable) : [];
  if (open.length + alarms.length + silent.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="h-attention">
      <h2 id="h-attention" class="sr">
        {texts.home.attention}
      </h2>
      {alarms.map((alarm) => (
        <div class="finding" role="alert" key={`${alarm.code} ${alarm.subject}`}>
          <Icon name="alert" />
          <p>{alarmText(alarm, state, language)}</p>
        </div>
      ))}
      {silent.map((asset) => {
        const at = readAt(asset);
        return (
          <div class="finding" key={asset.id}>
            <Icon name="alert" />
            <p>
              <a href={`#/devices/${asset.id}`}>{nameOf(asset)}</a>
              {texts.colon}
              {at === null ? texts.unknown : texts.silentFor(age(nowMs - at))}
            </p>
          </div>
        );
      })}
      <FindingList findings={open} onChange={findings.refresh} />
    </section>
  );
}

function alarmText(
  { code, subject }: EnergyState["alarms"][number],
  state: EnergyState | null,
  { texts }: Language,
): string {
  const sentence = texts.home.alarms[code];
  if (typeof sentence === "string") return sentence;
  return sentence(state?.devices.find(({ id }) => id === subject)?.name ?? subject);
}
