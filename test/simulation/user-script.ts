import { field } from "../long-run/json-fields.ts";
import type { Scene } from "./scene.ts";
import type { UserCommand } from "./simulated-user.ts";

const THINKING_MS = { min: 60_000, max: 600_000 };
/** Share of commands that the user thinks better of, and how soon. */
const CHANGES_MIND = 0.15;
const CANCEL_AFTER_MS = { min: 100, max: 20_000 };
const REQUEST_WITHIN_MS = 5_000;

/** When the user does what, and what must have come of it. */
export class UserScript {
  readonly #scene: Scene;
  #commands = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Commands that the API took. */
  get commands(): number {
    return this.#commands;
  }

  /** Goes on for as long as the run lasts. */
  begin(): void {
    const { run, random, user } = this.#scene;
    run.in(random.between(THINKING_MS.min, THINKING_MS.max), async () => {
      await this.send(user.nextCommand());
      this.begin();
    });
  }

  /** Sends a command and waits for its answer. */
  async send(command: UserCommand): Promise<void> {
    await this.#scene.world.clock.resolve(this.command(command), REQUEST_WITHIN_MS);
  }

  /** Sends a command. When the gateway dies meanwhile, this never settles. */
  async command(command: UserCommand): Promise<void> {
    const { run, box, user, checks, world, random } = this.#scene;
    if (box.running === null) return;
    const answer = await user.command(command);
    world.events.add("command", { ...command, status: answer?.status });
    if (answer === null) return;
    const isBug = answer.status === 401 || (answer.status >= 500 && answer.status !== 503);
    if (isBug) run.broke([`the API answered ${answer.status} to a command`]);
    const id = field(answer.body, "id");
    if (answer.status !== 200 || typeof id !== "string") return;
    this.#commands += 1;
    checks.acknowledge(id);
    if (random.isChance(CHANGES_MIND)) this.#cancelLater(`/${command.resource}/actions/${id}/cancel`);
  }

  #cancelLater(url: string): void {
    const { run, random } = this.#scene;
    run.in(random.between(CANCEL_AFTER_MS.min, CANCEL_AFTER_MS.max), () => this.#cancel(url));
  }

  async #cancel(url: string): Promise<void> {
    const { run, user, world } = this.#scene;
    const answer = await world.clock.resolve(user.client.send("POST", url, {}), REQUEST_WITHIN_MS);
    if (answer === null) return;
    world.events.add("cancel", { url, status: answer.status });
    const isExpected = answer.status === 200 || answer.status === 409 || answer.status === 503;
    if (!isExpected) run.broke([`the API answered ${answer.status} to a cancel`]);
  }
}
