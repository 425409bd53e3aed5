/**
 * The state of one limit of one source, as a controllable system has it in EEBus LPC and LPP (table 1.2 of TS 1.0.0). The
 * numbers are those of its rules. Pure; all times are monotonic ms.
 */
import { HOUR_MS, SECOND_MS } from "../../duration.ts";

/** Without a limit for this time after a start or after a returned heartbeat, the source is not waited for (906, 921). */
const NO_LIMIT_MS = 120 * SECOND_MS;
/** The failsafe value applies at least this long (022). */
const FAILSAFE_LEAST_MS = 2 * HOUR_MS;
const FAILSAFE_MOST_MS = 24 * HOUR_MS;

/**
 * `unknown`: started, and the source has not spoken yet. `free`: the source controls and sets no limit. `limited`: its
 * limit applies. `failsafe`: the source is lost. `autonomous`: the source is not waited for any more.
 */
export type LimitState = "unknown" | "free" | "limited" | "failsafe" | "autonomous";

export interface LimitSettings {
  /** Applies in `unknown` and `failsafe`, W. */
  readonly failsafeW: number;
  /** 2 to 24 h, ms (022). */
  readonly failsafeMs: number;
  /** Applies in `autonomous`, W; `null`: no limit. */
  readonly autonomousW: number | null;
  /** `hold`: the failsafe value applies until the source sets another one. `release`: 921 and 922 lead to `autonomous`. */
  readonly afterFailsafe: "hold" | "release";
  /** How long the source may be silent, ms, in EEBus 120 s (031); `null`: it needs no heartbeat, and is never lost. */
  readonly heartbeatLostMs: number | null;
}

export interface LimitMachine {
  readonly settings: LimitSettings;
  readonly state: LimitState;
  readonly sinceMs: number;
  /** The last heartbeat; `null` before the first. */
  readonly heartbeatAtMs: number | null;
  /** In `failsafe`: the first heartbeat after the loss; `null` before it. */
  readonly returnedAtMs: number | null;
  /** The limit in force, in `limited` only. `untilMs` `null`: without an end. */
  readonly limit: { readonly watts: number; readonly untilMs: number | null } | null;
  /** The source has spoken before the start: with `hold` it is waited for as long as it takes. */
  readonly wasKnown: boolean;
}

/** What a source sets: a limit for a time (`null` or 0: without an end), or that there is no limit. */
export type LimitWrite =
  | { readonly isActive: true; readonly watts: number; readonly durationMs: number | null }
  | { readonly isActive: false };

/** `machine` with what was written, or why it was refused. */
export type WriteResult =
  | { readonly ok: true; readonly machine: LimitMachine }
  | { readonly ok: false; readonly reason: string };

/** Starts in `unknown`, where the failsafe value applies at once (901/1). */
export function startMachine(settings: LimitSettings, nowMs: number, wasKnown: boolean): LimitMachine {
  return {
    settings,
    state: "unknown",
    sinceMs: nowMs,
    heartbeatAtMs: null,
    returnedAtMs: null,
    limit: null,
    wasKnown,
  };
}

/** Continues a source without a heartbeat after a restart: nothing of it was lost. */
export function resumeMachine(settings: LimitSettings, nowMs: number, limit: LimitMachine["limit"]): LimitMachine {
  const machine = startMachine(settings, nowMs, true);
  return tick({ ...machine, state: limit === null ? "free" : "limited", limit }, nowMs);
}

/** Notes a heartbeat. By itself it ends no failsafe (916). */
export function heartbeat(machine: LimitMachine, nowMs: number): LimitMachine {
  const current = tick(machine, nowMs);
  const returnedAtMs = current.state === "failsafe" ? (current.returnedAtMs ?? nowMs) : null;
  return { ...current, heartbeatAtMs: nowMs, returnedAtMs };
}

/** Applies what the source sets (902 to 905, 914, 916, 918 to 920). It counts only after a heartbeat (906). */
export function write(machine: LimitMachine, written: LimitWrite, nowMs: number): WriteResult {
  const current = tick(machine, nowMs);
  if (written.isActive && !(written.watts >= 0 && Number.isFinite(written.watts))) {
    return { ok: false, reason: `a limit is at least 0 W, not ${written.watts} W` };
  }
  if (isLost(current, nowMs)) return { ok: false, reason: "a heartbeat has to come before the limit" };
  const { isActive } = written;
  const durationMs = isActive ? written.durationMs : null;
  const untilMs = durationMs === null || durationMs === 0 ? null : nowMs + durationMs;
  const limit = isActive ? { watts: written.watts, untilMs } : null;
  return { ok: true, machine: { ...enter(current, isActive ? "limited" : "free", nowMs), limit } };
}

/** Changes the failsafe value and its duration. Other durations than 2 to 24 h are refused (022), as negative values (001). */
export function setFailsafe(machine: LimitMachine, failsafeW: number, failsafeMs: number): WriteResult {
  const reason = failsafeProblem(failsafeW, failsafeMs);
  if (reason !== null) return { ok: false, reason };
  return { ok: true, machine: { ...machine, settings: { ...machine.settings, failsafeW, failsafeMs } } };
}

/** Returns what is wrong with a failsafe value and its duration; `null` if nothing is. */
export function failsafeProblem(failsafeW: number, failsafeMs: number): string | null {
  if (!(failsafeW >= 0 && Number.isFinite(failsafeW))) return `a failsafe value is at least 0 W, not ${failsafeW} W`;
  if (failsafeMs >= FAILSAFE_LEAST_MS && failsafeMs <= FAILSAFE_MOST_MS) return null;
  return `the failsafe lasts 2 to 24 hours, not ${failsafeMs / HOUR_MS}`;
}

/** Applies what time alone changes. */
export function tick(machine: LimitMachine, nowMs: number): LimitMachine {
  let current = machine;
  // Each pass applies the earliest change that is due; a long time without a tick may bring several.
  for (let next = nextChange(current); next !== null && next.atMs <= nowMs; next = nextChange(current)) {
    current = enter(current, next.to, next.atMs);
  }
  return current;
}

/** When time alone changes the state next; `null`: not as things are. */
export function nextChangeMs(machine: LimitMachine): number | null {
  return nextChange(machine)?.atMs ?? null;
}

/** The limit that applies now, W; `null`: none. The failsafe value is never the last limit. */
export function appliedWatts({ state, settings, limit }: LimitMachine): number | null {
  switch (state) {
    case "unknown":
    case "failsafe":
      return settings.failsafeW;
    case "limited":
      return limit?.watts ?? null;
    case "autonomous":
      return settings.autonomousW;
    case "free":
      return null;
    default:
      return state satisfies never;
  }
}

interface Change {
  readonly atMs: number;
  readonly to: LimitState;
}

function nextChange(machine: LimitMachine): Change | null {
  const { state, settings, sinceMs, heartbeatAtMs, returnedAtMs, limit, wasKnown } = machine;
  const holds = settings.afterFailsafe === "hold";
  switch (state) {
    case "unknown":
      return { atMs: sinceMs + NO_LIMIT_MS, to: wasKnown && holds ? "failsafe" : "autonomous" };
    case "free":
    case "limited": {
      const isLostAtMs =
        settings.heartbeatLostMs === null ? null : (heartbeatAtMs ?? sinceMs) + settings.heartbeatLostMs;
      const lost: Change | null = isLostAtMs === null ? null : { atMs: isLostAtMs, to: "failsafe" };
      const ended: Change | null = limit?.untilMs == null ? null : { atMs: limit.untilMs, to: "free" };
      return earlier(ended, lost);
    }
    case "failsafe":
      if (holds) return null;
      return earlier(
        { atMs: sinceMs + settings.failsafeMs, to: "autonomous" },
        returnedAtMs === null ? null : { atMs: returnedAtMs + NO_LIMIT_MS, to: "autonomous" },
      );
    case "autonomous":
      return null;
    default:
      return state satisfies never;
  }
}

function earlier(one: Change | null, other: Change | null): Change | null {
  if (one === null || other === null) return one ?? other;
  return one.atMs <= other.atMs ? one : other;
}

function enter(machine: LimitMachine, state: LimitState, nowMs: number): LimitMachine {
  const sinceMs = state === machine.state ? machine.sinceMs : nowMs;
  const isSourceLost = state === "failsafe" || state === "autonomous";
  const heartbeatAtMs = isSourceLost && state !== machine.state ? null : machine.heartbeatAtMs;
  return { ...machine, state, sinceMs, heartbeatAtMs, returnedAtMs: null, limit: null };
}

function isLost({ settings, heartbeatAtMs }: LimitMachine, nowMs: number): boolean {
  if (settings.heartbeatLostMs === null) return false;
  return heartbeatAtMs === null || nowMs - heartbeatAtMs >= settings.heartbeatLostMs;
}
