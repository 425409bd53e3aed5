/** The times and margins of the control cycle. Sources and confidence are in docs/design/energy.md. */
import { MINUTE_MS, SECOND_MS } from "../../duration.ts";

export const NOMINAL_V = 230;
/** IEC 61851: the least current that a charger can offer. */
export const LEAST_CHARGE_A = 6;

/** Without a reading of the grid meter for so many of its intervals it is silent. */
export const SILENT_INTERVALS = 3;
export const METER_INTERVAL_MS = 5 * SECOND_MS;
export const LEAST_SILENCE_MS = 15 * SECOND_MS;
/** A meter that is read less often counts as silent: for limits of the import, and for all else. */
export const SLOWEST_METER_MS = { limits: 30 * SECOND_MS, all: MINUTE_MS } as const;
/** The feed-in is not controlled with an older reading. */
export const FEED_IN_SILENCE_MS = 10 * SECOND_MS;

/** A car follows the charger within this time after the charger's own latency. */
export const RAMP_MS = 5 * SECOND_MS;
/** A reading of a charger that is older than the grid's by more does not count as the same moment. */
export const SAME_MOMENT_MS = 3 * SECOND_MS;
/** An older reading of a device is not a reading. */
export const DEVICE_SILENCE_MS = MINUTE_MS;
/** For surplus an older one counts so long, beside what the grid meter showed then: no limit depends on it. */
export const LAST_SEEN_MS = 5 * MINUTE_MS;

export const START_DELAY_MS = MINUTE_MS;
export const STOP_DELAY_MS = 3 * MINUTE_MS;
export const MINIMUM_ON_MS = 10 * MINUTE_MS;
export const MINIMUM_OFF_MS = 5 * MINUTE_MS;
export const STARTS_PER_HOUR = 4;
/** Surplus is averaged over this time before a charger is raised. */
export const AVERAGE_MS = 30 * SECOND_MS;
/** The average needs readings over this time. */
export const LEAST_AVERAGE_MS = 15 * SECOND_MS;
/** A charger that follows surplus is raised no more often. */
export const RAISE_EVERY_MS = 20 * SECOND_MS;
/** A charger that takes small steps is not lowered for little sun less within this time after its last command. */
export const STEADY_MS = MINUTE_MS;
/** After a trim by the guard, there must be room for this time before the charger is raised. */
export const ROOM_DELAY_MS = 30 * SECOND_MS;
/** A car that draws nothing for this time reserves no surplus. */
export const IDLE_MS = 2 * MINUTE_MS;
/** A car that takes less than it is offered for this time reserves no more than it takes. */
export const TAKES_LESS_MS = MINUTE_MS;

/** A car that has drawn nothing for this time since the charger offers current is taken to sleep. */
export const WAKE_AFTER_MS = 5 * MINUTE_MS;
/** The charger is off for this time after its latency to wake it. */
export const WAKE_OFF_MS = 30 * SECOND_MS;
/** After so many tries the car is taken not to want to charge, until it draws or is unplugged. */
export const WAKE_TRIES = 2;

/** A running charger goes to more phases after this time of enough surplus, and to fewer after `STOP_DELAY_MS`. */
export const MORE_PHASES_DELAY_MS = 5 * MINUTE_MS;
/** Between two changes of the phases. */
export const PHASES_EVERY_MS = 10 * MINUTE_MS;
/** The same where a person waits: contactors and cars need so much (KEBA). */
export const PHASES_EVERY_AT_ONCE_MS = 5 * MINUTE_MS;
export const PHASE_CHANGES_PER_HOUR = 3;
export const PHASE_CHANGES_PER_DAY = 12;
/** After the change and before the start: contactors and cars need it. */
export const PHASES_REST_MS = 90 * SECOND_MS;
/** A charger has this time after its latency to stop for a change, and to follow it. */
export const PHASES_TIMEOUT_MS = MINUTE_MS;
/** After so many changes that failed, no more are tried until the car is unplugged. */
export const PHASE_FAILURES = 2;
/** Surplus above the least power of three phases, W. */
export const THREE_PHASES_MARGIN_W = 300;

/** A device above its limit for this time after its latency ignores the limit. */
export const GRACE_MS = 5 * SECOND_MS;
/** It is switched off after this time. */
export const IGNORED_OFF_MS = 10 * SECOND_MS;
/** It stays off for this time. */
export const IGNORED_LOCK_MS = 15 * MINUTE_MS;

/** Below the fuse by this share, so that noise does not trip the guard again. */
export const FUSE_TARGET = 0.97;
export const POWER_TARGET = 0.99;
/** How long a fuse bears a load: above `ratio`, for `ms`. */
export const FUSE_DEADLINES = [
  { ratio: 1.45, ms: 10_000 },
  { ratio: 1.13, ms: 20_000 },
  { ratio: 1, ms: 60_000 },
] as const;
/** An operator's import limit must be met within this time. */
export const OPERATOR_DEADLINE_MS = 30 * SECOND_MS;
/** The contracted power, and the power of a circuit, must be met within this time. */
export const CONTRACT_DEADLINE_MS = MINUTE_MS;
/** Kept before a deadline for the next reading. */
export const DEADLINE_MARGIN_MS = 5 * SECOND_MS;

/** From a command to a battery or an inverter to its effect. */
export const BATTERY_LATENCY_MS = 10 * SECOND_MS;
export const INVERTER_LATENCY_MS = 5 * SECOND_MS;
/** After a limit has ended, an inverter returns by this share of its rated power a minute. */
export const RAMP_PCT_PER_MINUTE = 10;
