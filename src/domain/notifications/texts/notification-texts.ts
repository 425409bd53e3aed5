import type { CheckKind } from "../../checks/finding.ts";

/** The title says what happened, the text what to do. */
export interface ItemText {
  readonly title: string;
  readonly text: string;
}

/** What a limit of the grid operator is about: all import, feed-in, or chargers, heat pumps and batteries together. */
export type Limited = "import" | "export" | "controllable";

/** The texts of notifications in one language. Times, numbers and units come formatted. */
export interface NotificationTexts {
  /** A moment in a sentence; `day` is `null` for today. */
  readonly when: (day: string | null, time: string) => string;
  /** `since` is `null` if the device never answered. */
  readonly silent: (device: string, since: string | null) => ItemText;
  readonly answers: (device: string) => ItemText;
  readonly limited: (what: Limited, power: string) => ItemText;
  readonly free: (what: Limited) => ItemText;
  readonly missed: (device: string, at: string, short: string) => ItemText;
  readonly reached: (device: string, at: string) => ItemText;
  readonly checks: Readonly<Record<CheckKind, string>>;
  readonly found: (device: string, check: string) => ItemText;
  readonly resolved: (device: string, check: string) => ItemText;
  readonly backupFailed: ItemText;
  readonly backupMade: ItemText;
  /** `isAutomatic`: it is installed at a time of the configuration. */
  readonly updateAvailable: (version: string, isAutomatic: boolean) => ItemText;
  readonly updateRolledBack: (version: string) => ItemText;
  /** The title of a message about several things. */
  readonly several: (count: number) => string;
  /** The last line of a message that leaves some out. */
  readonly more: (count: number) => string;
  readonly test: ItemText;
}
