/**
 * The public holidays of a whole country, by the time zone of the house: a house lives on them as on Sundays. Regional ones
 * are left out: to take one for a workday costs the forecast a day. A table of rules is enough for that; the library for it
 * takes 45 MB and more than a second to load.
 */
import { DAY_MS } from "../duration.ts";

/** A date `MM-DD`; days after Easter `E+39`; the first such weekday on or after a date, `05-25 Mon`. */
type Rule = `${number}-${number}` | `${number}-${number} ${keyof typeof WEEKDAYS}` | `E${"+" | "-"}${number}`;

const WEEKDAYS = { Mon: 1, Fri: 5, Sat: 6 } as const;
const [FIRST_YEAR, LAST_YEAR] = [2020, 2099];

const CHRISTMAS = ["12-25", "12-26"] as const;

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  "Europe/Amsterdam": ["01-01", "E+1", "04-27", "E+39", "E+50", ...CHRISTMAS],
  "Europe/Berlin": ["01-01", "E-2", "E+1", "05-01", "E+39", "E+50", "10-03", ...CHRISTMAS],
  "Europe/Brussels": ["01-01", "E+1", "05-01", "E+39", "E+50", "07-21", "08-15", "11-01", "11-11", "12-25"],
  "Europe/Copenhagen": ["01-01", "E-3", "E-2", "E+1", "E+39", "E+50", ...CHRISTMAS],
  "Europe/Dublin": [
    ...(["01-01", "02-01 Mon", "03-17", "E+1", "05-01 Mon", "06-01 Mon", "08-01 Mon", "10-25 Mon"] as const),
    ...CHRISTMAS,
  ],
  "Europe/Helsinki": ["01-01", "01-06", "E-2", "E+1", "05-01", "E+39", "06-20 Sat", "12-06", ...CHRISTMAS],
  "Europe/Lisbon": [
    ...(["01-01", "E-2", "04-25", "05-01", "E+60", "06-10", "08-15"] as const),
    ...(["10-05", "11-01", "12-01", "12-08", "12-25"] as const),
  ],
  "Europe/London": ["01-01", "E-2", "E+1", "05-01 Mon", "05-25 Mon", "08-25 Mon", ...CHRISTMAS],
  "Europe/Luxembourg": [
    ...(["01-01", "E+1", "05-01", "05-09", "E+39", "E+50", "06-23", "08-15", "11-01"] as const),
    ...CHRISTMAS,
  ],
  "Europe/Madrid": ["01-01", "01-06", "E-2", "05-01", "08-15", "10-12", "11-01", "12-06", "12-08", "12-25"],
  "Europe/Oslo": ["01-01", "E-3", "E-2", "E+1", "05-01", "05-17", "E+39", "E+50", ...CHRISTMAS],
  "Europe/Paris": ["01-01", "E+1", "05-01", "05-08", "E+39", "E+50", "07-14", "08-15", "11-01", "11-11", "12-25"],
  "Europe/Prague": [
    ...(["01-01", "E-2", "E+1", "05-01", "05-08", "07-05", "07-06", "09-28", "10-28", "11-17", "12-24"] as const),
    ...CHRISTMAS,
  ],
  "Europe/Rome": ["01-01", "01-06", "E+1", "04-25", "05-01", "06-02", "08-15", "10-04", "11-01", "12-08", ...CHRISTMAS],
  "Europe/Stockholm": ["01-01", "01-06", "E-2", "E+1", "05-01", "E+39", "06-06", "06-20 Sat", ...CHRISTMAS],
  "Europe/Vienna": [
    ...(["01-01", "01-06", "E+1", "05-01", "E+39", "E+50", "E+60", "08-15", "10-26", "11-01", "12-08"] as const),
    ...CHRISTMAS,
  ],
  "Europe/Warsaw": [
    "01-01",
    "01-06",
    "E+1",
    "05-01",
    "05-03",
    "E+60",
    "08-15",
    "11-01",
    "11-11",
    "12-24",
    ...CHRISTMAS,
  ],
  "Europe/Zurich": ["01-01", "E+39", "08-01", "12-25"],
};

/** Returns the holidays as days since 1970, up to the end of 2099; none for a time zone whose holidays are not known here. */
export function publicHolidays(zone: string): ReadonlySet<number> {
  const days = new Set<number>();
  const rules = RULES[zone] ?? [];
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) {
    const easter = easterSunday(year);
    for (const rule of rules) days.add(dayOf(rule, year, easter));
  }
  return days;
}

function dayOf(rule: Rule, year: number, easter: number): number {
  if (rule.startsWith("E")) return easter + Number(rule.slice(1));
  const day = Date.UTC(year, Number(rule.slice(0, 2)) - 1, Number(rule.slice(3, 5))) / DAY_MS;
  const weekday = Object.entries(WEEKDAYS).find(([name]) => rule.endsWith(name));
  // 1 January 1970 was a Thursday.
  return weekday === undefined ? day : day + ((weekday[1] - (day + 4) + 7_000_000) % 7);
}

/** Easter Sunday of the Gregorian calendar in days since 1970, by the rule of Meeus, Jones and Butcher. */
function easterSunday(year: number): number {
  const [golden, century, ofCentury] = [year % 19, Math.floor(year / 100), year % 100];
  const correction = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const march = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(march / 31) - 1, (march % 31) + 1) / DAY_MS;
}
