/** What must hold of the journal and of commands, whatever happens. */

import { ACTION_TIMINGS } from "../../src/domain/actions/action-timing.ts";
import type { World } from "../../src/testing/world.ts";
import { Acknowledged } from "../simulation/invariants/acknowledged.ts";
import { ActionLife } from "../simulation/invariants/action-life.ts";
import { windowBreaches } from "../simulation/invariants/action-window.ts";
import { JournalOrder } from "../simulation/invariants/journal-order.ts";
import { onePendingBreaches } from "../simulation/invariants/one-pending.ts";
import { field } from "../simulation/simulated-user.ts";
import type { Box, Life } from "./box.ts";

const ENDING_SLACK_MS = 60_000;
const JOURNAL_PAGE = 1_000;
const ANSWER_WITHIN_MS = 20_000;
const LOST = "user:credentials:invalidated";
/**
 * More than between two starts. Of actions that ended the store keeps 1,000, by when they did: those whose client got no
 * answer are among them, and one that a clock dated which was 20 days behind goes before others that are older.
 */
const MOST_ACKNOWLEDGED = 200;

export class Checks {
  readonly #world: World;
  readonly #box: Box;
  readonly #journal = new JournalOrder();
  readonly #lives = new ActionLife();
  readonly #actions = new Acknowledged(MOST_ACKNOWLEDGED);
  readonly events = new Map<string, number>();
  /** How often each user's credentials were told as lost. */
  readonly lost = new Map<string, number>();
  readonly ended = new Map<string, number>();

  constructor(world: World, box: Box) {
    this.#world = world;
    this.#box = box;
  }

  acknowledged(actionId: string): void {
    this.#actions.remember(actionId);
  }

  /** While a clock that is right shows when an action has to end. */
  actions(areTimed: boolean): readonly string[] {
    const { life } = this.#box;
    if (life === null) return [];
    const actions = life.gateway.store.all("action").map(({ action }) => action);
    if (!areTimed) return onePendingBreaches(actions);
    const late = windowBreaches(actions, {
      windowMs: ({ targetType }) => ACTION_TIMINGS[targetType].windowMs,
      slackMs: ENDING_SLACK_MS,
      nowMs: this.#world.clock.nowMs(),
      upSinceMs: life.startedAtWallMs,
    });
    return [...onePendingBreaches(actions), ...late];
  }

  async newJournal(): Promise<readonly string[]> {
    const { life } = this.#box;
    if (life === null) return [];
    const asking = life.gateway.store.journalAfter(this.#journal.last, JOURNAL_PAGE);
    const entries = await this.#world.clock.resolve(asking, ANSWER_WITHIN_MS).catch((error: unknown) => {
      if (this.#box.life === life) throw error;
      return [];
    });
    for (const { event, payload } of entries) {
      this.events.set(event, (this.events.get(event) ?? 0) + 1);
      if (event === LOST) {
        const user = String(field(payload, "user", "id"));
        this.lost.set(user, (this.lost.get(user) ?? 0) + 1);
      }
      const state = String(field(payload, "vendorAction", "state"));
      if (event === "user:vendor-action:updated") this.ended.set(state, (this.ended.get(state) ?? 0) + 1);
    }
    return [...this.#journal.take(entries), ...this.#lives.take(entries)];
  }

  /** What was acknowledged before a power cut is there after it. */
  afterStart({ gateway }: Life): readonly string[] {
    return this.#actions.breaches((id) => gateway.store.get("action", id) !== null);
  }
}
