/** Line drawings on a grid of 24. */
const PATHS = {
  home: "M3.5 11 12 4l8.5 7M6 9.5V20h12V9.5",
  car: "M4 16v-3.5l2-5.2A2 2 0 0 1 7.9 6h8.2A2 2 0 0 1 18 7.3l2 5.2V16M3.5 16h17v2.5M3.5 16v2.5M4.5 12h15M7.5 14h.01M16.5 14h.01",
  devices: "M5 4h14v6H5zM5 14h14v6H5zM8.5 7h.01M8.5 17h.01M12 7h4M12 17h4",
  house: "M12 3.5 4.5 6.5v5c0 4.6 3.2 7.6 7.5 9 4.3-1.4 7.5-4.4 7.5-9v-5z",
  sun: "M6 4h12l3 12H3zM4.5 10h15M12 4v12M12 16v4M8.5 20h7",
  battery: "M6 6.5h12v14H6zM10 6.5v-3h4v3M9.5 17h5M9.5 13.5h5",
  grid: "m8 21 4-18 4 18M6 8h12M4.5 12.5h15M9 16.5l5.5-4M15 16.5l-5.5-4M6 8v2M18 8v2",
  heat: "M12 3c.6 3.2 5 5.4 5 10.4A5 5 0 0 1 12 19a5 5 0 0 1-5-5.4c0-2 .9-3.3 2-4.6.3 1.6 1 2.4 2 2.8C10.7 8.7 11 5.5 12 3zM6 21.5h12",
  plan: "M4 5v15h16M8 16v-4M12 16V8M16 16v-6",
  history: "M4 6h16v14H4zM4 10h16M8 3.5v4M16 3.5v4",
  alert: "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2v.01",
  off: "M12 4v8M7 7a7 7 0 1 0 10 0",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
  bolt: "M13 3 6 13.5h5L10 21l8-11h-5.5z",
  theme: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 3.5v17",
  leaf: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  plus: "M12 5v14M5 12h14",
  down: "m5 9 7 7 7-7",
  check: "m5 12.5 4.5 4.5L19 7.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Mark() {
  return (
    <svg
      viewBox="0 0 26 26"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2.2"
      stroke-linecap="round"
    >
      <path d="M3 23V12.5C3 7 7.5 3 13 3s10 4 10 9.5V23" />
      <path d="M9 23v-9.5a4 4 0 0 1 8 0V23" opacity=".45" />
      <circle cx="13" cy="13" r="1.6" fill="currentColor" stroke="none" />
    </svg>
  );
}
