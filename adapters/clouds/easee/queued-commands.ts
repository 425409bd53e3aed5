import { z } from "hemgate/sdk";
import { fitting } from "../kit/device/parsed.ts";
import type { ChargerNews } from "./push.ts";

type CommandResponse = Extract<ChargerNews, { readonly kind: "command-response" }>;

/** More commands than that are not under way at once; the oldest go first. */
const MAX_KEPT = 10;

const Queued = z.object({ commandId: z.number(), ticks: z.number() });
type Queued = z.infer<typeof Queued>;

/** Whose command a response is for. `early`: perhaps one of ours whose answer is not here yet. */
export type Outcome = "taken" | "refused" | "early" | "somebody-elses";

/** Tells the responses to own commands from those to others: the owner's app, another controller. */
export class QueuedCommands {
  #queued: readonly Queued[] = [];
  #early: readonly CommandResponse[] = [];
  #underWay = 0;

  /** Sends a command. Answers the responses that came before its answer did. */
  async send(command: () => Promise<unknown>): Promise<readonly Outcome[]> {
    this.#underWay += 1;
    try {
      const body = await command();
      // A command answers with one, settings with a list; 200 and an empty one: nothing had to be done.
      const answered = fitting(Queued, Array.isArray(body) ? body : [body]);
      this.#queued = [...this.#queued, ...answered].slice(-MAX_KEPT);
      return this.#early.map((response) => this.#match(response)).filter((outcome) => outcome !== null);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#early = [];
    }
  }

  answered(response: CommandResponse): Outcome {
    const own = this.#match(response);
    if (own !== null) return own;
    if (this.#underWay === 0) return "somebody-elses";
    this.#early = [...this.#early, response].slice(-MAX_KEPT);
    return "early";
  }

  /** By its ticks, else by its command: clouds in between have been seen to round them. */
  #match({ commandId, ticks, wasAccepted }: CommandResponse): "taken" | "refused" | null {
    const own =
      this.#queued.find((queued) => queued.ticks === ticks) ??
      this.#queued.find((queued) => queued.commandId === commandId);
    if (own === undefined) return null;
    this.#queued = this.#queued.filter((queued) => queued !== own);
    return wasAccepted ? "taken" : "refused";
  }
}
