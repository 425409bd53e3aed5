/** Line drawings of the link page, 24 by 24, in the colour of the text around them. */
import { type Html, html } from "../html.ts";

const PATHS = {
  home: "M4 11.5 12 5l8 6.5M6.5 10v8.5h11V10M12.6 11l-2 3.2h2.8l-2 3.2",
  check: "m6 12.5 4 4 8-9",
  alert: "M12 8v5M12 16.2v.3M12 3.8l9 15.7H3z",
  lock: "M7 11V8.5a5 5 0 0 1 10 0V11M5.5 11h13v8.5h-13z",
  choice: "M5 7h8M5 12h5M5 17h8m3-1.5 1.8 1.8L21 14M16 5.5l1.8 1.8L21 4",
  undo: "M8 5 4 9l4 4M4 9h9.5a5.5 5.5 0 0 1 0 11H9",
  chevron: "m10 7 5 5-5 5",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zm4.8-1.7L20 20",
  close: "M7 7l10 10M17 7 7 17",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l3 2",
  battery: "M4 8h14v8H4zM20.5 10.5v3M11.6 9l-2 3h2.8l-2 3",
  charger: "M6 20V5h8v15M4.5 20h11M14 10h2.5v6a1.5 1.5 0 0 0 3 0V9l-2-2M10.6 8l-2 3h2.8l-2 3",
  hvac: "M12 14.5V5a2 2 0 0 0-4 0v9.5a4 4 0 1 0 4 0zM16 7h4M16 11h3",
  inverter:
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  meter: "M4 17a8 8 0 1 1 16 0zM12 16l3.5-5M6.5 17h.2M17.3 17h.2",
  vehicle: "M5 16v2M19 16v2M4 16h16v-3.2l-2-.8-2-4.5H8L6 12l-2 .8zM6.5 12h11M7 14.2h.2M16.8 14.2h.2",
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration only: what it means stands beside it in words. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${PATHS[name]} /></svg>`;
}
