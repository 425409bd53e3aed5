/** What must hold of actions, overrides, controllers and credentials, whatever happens. */

import type { ControllerKind } from "../../src/domain/actions/action.ts";
import { ACTION_TIMINGS } from "../../src/domain/actions/action-timing.ts";
import type { World } from "../../src/testing/world.ts";
import { Acknowledged } from "../simulation/invariants/acknowledged.ts";
import { ActionLife } from "../simulation/invariants/action-life.ts";
import { windowBreaches } from "../simulation/invariants/action-window.ts";
import { credentialBreaches } from "../simulation/invariants/credentials.ts";
import { JournalOrder } from "../simulation/invariants/journal-order.ts";
import { controllerBreaches } from "../simulation/invariants/one-controller.ts";
import { onePendingBreaches } from "../simulation/invariants/one-pending.ts";
import { overrideBreaches } from "../simulation/invariants/override-peace.ts";
import { entriesOf, field } from "../simulation/simulated-user.ts";
import type { Box, Life } from "./box.ts";
import type { Deed } from "./resident.ts";
import { Resident } from "./resident.ts";

const ENDING_SLACK_MS = 60_000;
const JOURNAL_PAGE = 1_000;
const ANSWER_WITHIN_MS = 20_000;

export class Checks {
  readonly #world: World;
  readonly #box: Box;
  readonly #journal = new JournalOrder();
  readonly #lives = new ActionLife();
  readonly #actions = new Acknowledged();
  readonly #events = new Map<string, number>();

  constructor(world: World, box: Box) {
    this.#world = world;
    this.#box = box;
  }

  /** How often each event was told. */
  get events(): ReadonlyMap<string, number> {
    return this.#events;
  }

  get actions(): number {
    return this.#lives.count;
  }

  /** Judges an answer at the moment it came. */
  answered({ answer, targetId, isCommand, what }: Deed): readonly string[] {
    const { status, body } = answer;
    if (!Resident.isFair(status)) return [`${what} was answered ${status} ${JSON.stringify(body)}`];
    const life = this.#box.life;
    if (!isCommand || targetId === null || life === null) return [];
    const inCharge = this.#enabled(life).filter((claim) => claim.targetId === targetId);
    if (status === 422) return inCharge.length > 0 ? [] : [`${what} was refused although nothing is switched on`];
    if (status === 200) this.#actions.remember(String(field(body, "id")));
    const active = life.gateway.store
      .all("schedule-state")
      .filter((row) => !row.status.state.startsWith("INACTIVE"))
      .filter((row) => life.gateway.store.get("schedule", row.status.scheduleId)?.schedule.targetId === targetId);
    return status === 200 && active.length > 0 ? [`${what} was taken although a schedule is active`] : [];
  }

  afterMinute(): readonly string[] {
    const life = this.#box.life;
    if (life === null) return [];
    const { store } = life.gateway;
    const records = store.all("action");
    const actions = records.map(({ action }) => action);
    return [
      ...onePendingBreaches(actions),
      ...windowBreaches(actions, {
        windowMs: (action) => ACTION_TIMINGS[action.targetType].windowMs,
        slackMs: ENDING_SLACK_MS,
        nowMs: this.#world.clock.nowMs(),
        upSinceMs: life.startedAtWallMs,
      }),
      ...controllerBreaches(this.#enabled(life)),
      ...overrideBreaches(
        records.map(({ action, origin, createdAtMs }) => ({
          id: action.id,
          targetId: action.targetId,
          origin: origin ?? "client",
          createdAtMs,
        })),
        store.all("override").map(({ override }) => override),
      ),
    ];
  }

  async newJournal(): Promise<readonly string[]> {
    const life = this.#box.life;
    if (life === null) return [];
    const { clock } = this.#world;
    const entries = await clock.resolve(
      life.gateway.store.journalAfter(this.#journal.last, JOURNAL_PAGE),
      ANSWER_WITHIN_MS,
    );
    for (const { event, epoch, seq } of entries) {
      this.#events.set(event, (this.#events.get(event) ?? 0) + 1);
      this.#world.events.add(event, [epoch, seq]);
    }
    return [...this.#journal.take(entries), ...this.#lives.take(entries)];
  }

  /** What was acknowledged before a crash is there after it. */
  afterStart(life: Life): readonly string[] {
    return this.#actions.breaches((id) => life.gateway.store.get("action", id) !== null);
  }

  /** A page of each kind, as an app asks for it. */
  static pageBreaches(url: string, answer: { status: number; body: unknown }): readonly string[] {
    if (answer.status !== 200) return [`${url} was answered ${answer.status} ${JSON.stringify(answer.body)}`];
    return entriesOf(answer.body).length > 0 ? [] : [`${url} is empty`];
  }

  /** What the API shows of devices whose credentials were refused. */
  static credentialBreaches(user: unknown, hvacs: unknown): readonly string[] {
    const linkedVendors = field(user, "linkedVendors") as Parameters<typeof credentialBreaches>[0][0]["linkedVendors"];
    const assets = entriesOf(hvacs) as Parameters<typeof credentialBreaches>[1];
    return credentialBreaches([{ id: "home", linkedVendors }], assets);
  }

  #enabled({ gateway: { store } }: Life): readonly { targetId: string; kind: ControllerKind }[] {
    const schedules = store.all("schedule").filter(({ schedule }) => schedule.isEnabled);
    return [
      ...schedules.map(({ schedule }) => ({ targetId: schedule.targetId, kind: "schedule" as const })),
      ...store
        .all("vehicle-smart")
        .filter(({ policy }) => policy.isEnabled)
        .map(({ vehicleId }) => ({ targetId: vehicleId, kind: "smart-charging" as const })),
      ...store
        .all("charger-smart")
        .filter(({ policy }) => policy.isEnabled)
        .map(({ chargerId }) => ({ targetId: chargerId, kind: "smart-charging" as const })),
      ...store
        .all("hvac-smart")
        .filter(({ policy }) => policy.isEnabled)
        .map(({ hvacId }) => ({ targetId: hvacId, kind: "smart-policy" as const })),
    ];
  }
}
