import { z } from "zod";

/** What a cloud service can set from afar; all else is decided in the house. docs/remote-configuration.md says why. */
export const REMOTE_SECTIONS = ["site", "devices", "pricing", "forecast", "discovery"] as const;

/**
 * The sections that it may set by default. Devices are not among them: an entry can name any host, and can name a
 * limited device a second time.
 */
const UNASKED_SECTIONS = REMOTE_SECTIONS.filter((section) => section !== "devices");

const MAX_TRIAL_MINUTES = 60;

/** What the house lets the cloud service that it is enrolled with set. */
export const RemoteConfig = z.strictObject({
  sections: z
    .array(z.enum(REMOTE_SECTIONS))
    .default(UNASKED_SECTIONS)
    .meta({ description: "Sections of this file that the cloud service may replace; none: it configures nothing." }),
  trialMinutes: z.int().min(1).max(MAX_TRIAL_MINUTES).default(5).meta({
    description: "How long what it set may keep the gateway from reaching it, before all is as it was.",
  }),
});
