/** The days of the week, each to be switched on and off. 0 is Monday. */
import { useLanguage } from "../texts.ts";

const SOME_MONDAY_MS = Date.UTC(2024, 0, 1, 12);
const DAY_MS = 86_400_000;

interface DaysProps {
  readonly legend: string;
  readonly days: readonly number[];
  readonly hint?: string;
  readonly isDisabled?: boolean;
  readonly onChange: (days: readonly number[]) => void;
}

export function Days({ legend, days, hint = "", isDisabled = false, onChange }: DaysProps) {
  const { code } = useLanguage();
  const name = (weekday: number): string =>
    new Intl.DateTimeFormat(code, { weekday: "short" }).format(SOME_MONDAY_MS + weekday * DAY_MS);
  return (
    <fieldset class="field" disabled={isDisabled}>
      <legend class="lab">{legend}</legend>
      <div class="days">
        {[0, 1, 2, 3, 4, 5, 6].map((weekday) => (
          <label key={weekday}>
            <input
              type="checkbox"
              checked={days.includes(weekday)}
              onChange={() =>
                onChange(
                  days.includes(weekday) ? days.filter((other) => other !== weekday) : [...days, weekday].toSorted(),
                )
              }
            />
            <span>{name(weekday)}</span>
          </label>
        ))}
      </div>
      {hint === "" ? null : <span class="hint">{hint}</span>}
    </fieldset>
  );
}
