/** Everything that a device reports, why it does not answer, and what something else has set on it. */
import { usePage } from "../context.ts";
import { age, clock, number } from "../format.ts";
import { usePolled } from "../live/poll.ts";
import { useLanguage } from "../texts.ts";

type Value = number | string | boolean | null;

interface Details {
  readonly lastError: string | null;
  readonly mayBeInUse: boolean;
  readonly readings: readonly {
    readonly point: string;
    readonly value: Value;
    readonly unit: string;
    readonly at: string;
  }[];
  readonly takenOver: readonly {
    readonly point: string;
    readonly expected: Value;
    readonly found: Value;
    readonly at: string;
  }[];
}

const EACH_MS = 4_000;

/** `deviceId`: `null` before it is known. */
export function DeviceReadings({ deviceId }: { readonly deviceId: string | null }) {
  const { texts, code } = useLanguage();
  const { nowMs } = usePage();
  const path = deviceId === null ? null : `/local/devices/${encodeURIComponent(deviceId)}`;
  const { value } = usePolled<Details>(path, EACH_MS);
  if (value === null) return null;
  const written = (reading: Value): string =>
    reading === null ? "–" : typeof reading === "number" ? shortNumber(reading, code) : String(reading);
  return (
    <>
      {value.lastError === null ? null : (
        <p class="small">
          {texts.devices.lastError}
          {texts.colon}
          <span lang="en">{value.lastError}</span>
        </p>
      )}
      {value.mayBeInUse ? (
        <p class="small">
          {texts.devices.mayBeInUse} <a href="#/settings/connections">{texts.settings.links.modbus}</a>
        </p>
      ) : null}
      {value.takenOver.map(({ point, expected, found, at }) => (
        <p class="error" key={point}>
          {texts.devices.takenOver(clock(Date.parse(at), code), point, written(expected), written(found))}
        </p>
      ))}
      <details>
        <summary>{texts.devices.allReadings}</summary>
        <p class="small second">{texts.devices.allReadingsAbout}</p>
        <table class="table small">
          <tbody>
            {value.readings.map(({ point, value: reading, unit, at }) => (
              <tr key={point}>
                <th scope="row">
                  <code lang="en">{point}</code>
                </th>
                <td>{reading === null ? written(reading) : `${written(reading)}\u202f${unit}`}</td>
                <td class="muted">{age(nowMs - Date.parse(at))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** As many decimals as there are, three at most. */
function shortNumber(value: number, locale: string): string {
  const decimals = [0, 1, 2].find((count) => Number(value.toFixed(count)) === value) ?? 3;
  return number(value, locale, decimals);
}
