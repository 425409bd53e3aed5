/** A source of limits that speaks for itself, such as a client or an energy guard, with a state machine a direction. */
import {
  appliedWatts,
  failsafeProblem,
  heartbeat,
  type LimitMachine,
  type LimitSettings,
  nextChangeMs,
  resumeMachine,
  setFailsafe,
  startMachine,
  tick,
  type WriteResult,
  write,
} from "../../domain/energy/limits/limit-machine.ts";
import type { LimitationEnd } from "../../domain/energy/limits/limitation.ts";
import { type Issue, problem } from "../../domain/problem.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { LimitDirectionRecord, LimitSourceRecord } from "../../store/records/energy.ts";
import type {
  DirectionDemand,
  LimitDemand,
  LimitPortOptions,
  LimitSource,
  LimitSourceDirection,
} from "../contracts/energy/energy.ts";
import type { LimitBoard } from "./limit-board.ts";

type Direction = "import" | "export";
const DIRECTIONS: readonly Direction[] = ["import", "export"];
const MS_PER_S = 1_000;

/** What the configuration says about sources that are lost, by direction. W; `null`: the source has to say it. */
export interface SourceDefaults {
  readonly failsafeW: Readonly<Record<Direction, number | null>>;
  readonly autonomousW: Readonly<Record<Direction, number | null>>;
  readonly failsafeMs: number;
  readonly afterFailsafe: LimitSettings["afterFailsafe"];
}

export interface MachineSourceNeeds {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  readonly board: LimitBoard;
  readonly defaults: SourceDefaults;
}

interface Side {
  readonly scope: "connection" | "controllable";
  readonly machine: LimitMachine;
}

export class MachineSource {
  readonly options: LimitPortOptions;
  readonly #needs: MachineSourceNeeds;
  #heartbeatLostMs: number | null = null;
  #sides: Partial<Record<Direction, Side>> = {};
  /** Ends of the limits of the run before, by the wall clock. */
  readonly #endsAtMs = new Map<Direction, number>();

  constructor(needs: MachineSourceNeeds, options: LimitPortOptions) {
    this.#needs = needs;
    this.options = options;
  }

  /** Continues a source of an earlier run: with a heartbeat its failsafe value applies at once, until it speaks. */
  restore(record: LimitSourceRecord): void {
    this.#heartbeatLostMs = record.heartbeatLostMs;
    for (const side of record.directions) {
      this.#sides[side.direction] = { scope: side.scope, machine: this.#restored(side) };
    }
    this.#apply("restart");
  }

  /** Applies a demand. Throws `bad-request`; nothing is changed then. */
  set(demand: LimitDemand): void {
    const nowMs = this.#needs.clock.monotonicMs();
    const issues: Issue[] = [];
    const sides = { ...this.#sides };
    for (const direction of DIRECTIONS) {
      const asked = demand[direction];
      const before = sides[direction];
      if (asked === undefined && before === undefined) continue;
      const made = this.#next(direction, before, asked, demand, nowMs);
      if ("issue" in made) issues.push(made.issue);
      else sides[direction] = made;
    }
    if (issues.length > 0) {
      throw problem("bad-request", `${issues.map(({ message }) => message).join("; ")}.`, { issues });
    }
    this.#heartbeatLostMs = demand.heartbeatLostMs;
    this.#sides = sides;
    for (const direction of DIRECTIONS) if (demand[direction]?.limit != null) this.#endsAtMs.delete(direction);
    this.#apply("released");
  }

  /** The wall clock was put right: what the run before has limited ends when it was to end. */
  clockMoved(): void {
    const { clock } = this.#needs;
    for (const [direction, endAtMs] of this.#endsAtMs) {
      const side = this.#sides[direction];
      if (side?.machine.limit == null || clock.quality() === "unset") continue;
      const limit = { ...side.machine.limit, untilMs: clock.monotonicMs() + endAtMs - clock.nowMs() };
      this.#sides[direction] = { ...side, machine: { ...side.machine, limit } };
    }
    this.#change((machine) => tick(machine, clock.monotonicMs()));
    this.#apply("expired");
  }

  heartbeat(): void {
    const nowMs = this.#needs.clock.monotonicMs();
    this.#change((machine) => heartbeat(machine, nowMs));
    this.#apply("expired");
  }

  /** Applies what time alone changes. Returns true if a state changed. */
  tick(nowMs: number): boolean {
    const before = DIRECTIONS.map((direction) => this.#sides[direction]?.machine.state);
    this.#change((machine) => tick(machine, nowMs));
    const isChanged = DIRECTIONS.some((direction, index) => this.#sides[direction]?.machine.state !== before[index]);
    if (isChanged) this.#apply("expired");
    return isChanged;
  }

  nextMs(): number | null {
    const times = Object.values(this.#sides).flatMap(({ machine }) => nextChangeMs(machine) ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  withdraw(): void {
    this.#sides = {};
    this.#needs.board.keep(this.options.id, [], "withdrawn");
  }

  view(): LimitSource {
    const { id, kind, name } = this.options;
    const heartbeatLostMs = this.#heartbeatLostMs;
    const canBeLost = heartbeatLostMs !== null;
    const directions = this.#list().map(({ direction, scope, machine }) => ({
      direction,
      scope,
      state: machine.state,
      sinceMs: this.#wallMs(machine.sinceMs),
      appliedW: appliedWatts(machine),
      untilMs: machine.limit?.untilMs == null ? null : this.#wallMs(machine.limit.untilMs),
      failsafeW: canBeLost ? machine.settings.failsafeW : null,
      failsafeMs: canBeLost ? machine.settings.failsafeMs : null,
    }));
    const warnings = heartbeatLostMs === null ? [] : directions.flatMap((each) => warningOf(each, heartbeatLostMs));
    return { id, kind, name, heartbeatLostMs, directions, warnings };
  }

  record(): LimitSourceRecord {
    const { id, kind, name } = this.options;
    const directions = this.#list().map(
      ({ direction, scope, machine: { state, settings, limit } }): LimitDirectionRecord => ({
        direction,
        scope,
        state,
        failsafeW: settings.failsafeW,
        failsafeMs: settings.failsafeMs,
        limit: limit && {
          watts: limit.watts,
          untilMs: limit.untilMs === null ? (this.#endsAtMs.get(direction) ?? null) : this.#wallMs(limit.untilMs),
        },
      }),
    );
    return { id, kind, name, heartbeatLostMs: this.#heartbeatLostMs, directions };
  }

  #next(
    direction: Direction,
    before: Side | undefined,
    asked: DirectionDemand | undefined,
    demand: LimitDemand,
    nowMs: number,
  ): Side | { readonly issue: Issue } {
    const { defaults } = this.#needs;
    const settings = before?.machine.settings;
    // Where nothing was said for a source that could not be lost, its 0 is no failsafe value.
    const isUnsaid = this.#heartbeatLostMs === null && settings?.failsafeW === 0;
    const beforeW = isUnsaid ? null : (settings?.failsafeW ?? null);
    const failsafeW = asked?.failsafeW ?? beforeW ?? defaults.failsafeW[direction];
    const refused = (field: string, reason: string): { readonly issue: Issue } => {
      return { issue: { code: "custom", path: [direction, field], message: `${direction}: ${reason}`, in: "body" } };
    };
    if (failsafeW === null && demand.heartbeatLostMs !== null) {
      return refused("failsafe", "a failsafe value is needed, for when the heartbeat is missing");
    }
    if (before === undefined && demand.heartbeatLostMs === null && asked?.limit == null) {
      return refused("limit", "a source without a heartbeat has to set a limit, or that there is none");
    }
    const failsafeMs = asked?.failsafeMs ?? settings?.failsafeMs ?? defaults.failsafeMs;
    const reason = failsafeProblem(failsafeW ?? 0, failsafeMs);
    if (reason !== null) return refused("failsafe", reason);
    const started =
      before?.machine ?? startMachine(this.#settings(direction, failsafeW ?? 0, failsafeMs), nowMs, false);
    let result: WriteResult = setFailsafe(started, failsafeW ?? 0, failsafeMs);
    // It was in time by what it had said before.
    if (result.ok && demand.isHeartbeat) result = { ok: true, machine: heartbeat(result.machine, nowMs) };
    if (result.ok) result = { ok: true, machine: withHeartbeatLimit(result.machine, demand.heartbeatLostMs) };
    const limit = asked?.limit ?? null;
    if (result.ok && limit !== null) result = write(result.machine, limit, nowMs);
    if (!result.ok) return refused("limit", result.reason);
    return { scope: asked?.scope ?? before?.scope ?? "connection", machine: result.machine };
  }

  #restored({ direction, state, failsafeW, failsafeMs, limit }: LimitDirectionRecord): LimitMachine {
    if (limit?.untilMs != null) this.#endsAtMs.set(direction, limit.untilMs);
    const { clock } = this.#needs;
    const nowMs = clock.monotonicMs();
    const settings = this.#settings(direction, failsafeW, failsafeMs);
    if (this.#heartbeatLostMs !== null) return startMachine(settings, nowMs, state !== "autonomous");
    // Without a clock nobody knows how much of the duration is left: the limit stays until the clock is set.
    const isDated = limit !== null && limit.untilMs !== null && clock.quality() !== "unset";
    const untilMs = isDated ? nowMs + ((limit.untilMs ?? 0) - clock.nowMs()) : null;
    const machine = resumeMachine(settings, nowMs, limit && { watts: limit.watts, untilMs });
    // It was lost before its source said that it needs no heartbeat any more, and has set nothing since.
    if (limit !== null) return machine;
    return { ...machine, state: state === "unknown" ? "failsafe" : state };
  }

  #settings(direction: Direction, failsafeW: number, failsafeMs: number): LimitSettings {
    const { autonomousW, afterFailsafe } = this.#needs.defaults;
    const heartbeatLostMs = this.#heartbeatLostMs;
    return { failsafeW, failsafeMs, autonomousW: autonomousW[direction], afterFailsafe, heartbeatLostMs };
  }

  #change(next: (machine: LimitMachine) => LimitMachine): void {
    for (const { direction, scope, machine } of this.#list())
      this.#sides[direction] = { scope, machine: next(machine) };
  }

  #apply(end: LimitationEnd): void {
    const { board } = this.#needs;
    const { id: sourceId, name: sourceName } = this.options;
    const keys = this.#list().map(({ direction, scope }) => ({ sourceId, sourceName, direction, scope }));
    for (const [index, { machine }] of this.#list().entries()) {
      const key = keys[index];
      const watts = appliedWatts(machine);
      const untilMs = machine.limit?.untilMs ?? null;
      if (key !== undefined) board.set(key, watts === null ? null : { state: machine.state, watts, untilMs }, end);
    }
    // After what applies now: a limit whose scope is changed must not be lifted for a moment.
    board.keep(sourceId, keys, "changed");
  }

  #list(): readonly (Side & { readonly direction: Direction })[] {
    return DIRECTIONS.flatMap((direction) => {
      const side = this.#sides[direction];
      return side === undefined ? [] : [{ direction, ...side }];
    });
  }

  #wallMs(monotonicMs: number): number {
    const { clock } = this.#needs;
    return Math.round(clock.nowMs() + monotonicMs - clock.monotonicMs());
  }
}

function withHeartbeatLimit(machine: LimitMachine, heartbeatLostMs: number | null): LimitMachine {
  return { ...machine, settings: { ...machine.settings, heartbeatLostMs } };
}

/** A limit below the failsafe value is allowed, but losing the source then gives more power. */
function warningOf(
  { direction, state, appliedW, failsafeW }: LimitSourceDirection,
  heartbeatLostMs: number,
): readonly string[] {
  if (state !== "limited" || appliedW === null || failsafeW === null || appliedW >= failsafeW) return [];
  const after = `after ${heartbeatLostMs / MS_PER_S} s without a heartbeat ${failsafeW} W apply`;
  return [`${direction}: the limit of ${appliedW} W is below the failsafe value; ${after}`];
}
