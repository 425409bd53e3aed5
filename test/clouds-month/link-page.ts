/** Somebody on the link page that the API gave the address of. */

import type { LinkField } from "../../src/domain/linking/link-form.ts";
import type { LinkStepView } from "../../src/domain/linking/link-view.ts";
import type { Gateway } from "../../src/gateway.ts";
import type { World } from "../../src/testing/world.ts";

const LIMIT_MS = 120_000;
const CALLBACK = "http://gateway.local:8080/link/callback";
const LOOKS = 120;

type Written = Readonly<Record<string, string | readonly string[]>>;

export class LinkPage {
  readonly #world: World;
  readonly #gateway: Pick<Gateway, "engine">;
  readonly #token: string;
  #at: string | undefined;

  constructor(world: World, gateway: Pick<Gateway, "engine">, token: string) {
    this.#world = world;
    this.#gateway = gateway;
    this.#token = token;
  }

  /** What the page shows once nothing is under way any more. */
  async see(): Promise<LinkStepView> {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const { now } = this.#view();
      if (now.step !== "busy") return now;
      await this.#world.clock.advance(1_000);
    }
    throw new Error("the link page is busy for ever");
  }

  async press(fields: Written = {}): Promise<LinkStepView> {
    const written = new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat()]));
    const { linking } = this.#gateway.engine.services;
    const answering = linking.answer(
      this.#token,
      { key: this.#view().formKey, action: "next", fields: written },
      CALLBACK,
    );
    this.#at = await this.#world.clock.resolve(answering, LIMIT_MS);
    return await this.see();
  }

  /** Goes to the vendor's page, and comes back with what the vendor says there of an address. */
  async visit(consent: (url: URL) => Readonly<Record<string, string>>): Promise<LinkStepView> {
    const now = await this.see();
    if (now.step !== "away") throw new Error(`the link page shows ${now.step} instead of the vendor's`);
    const url = new URL(now.url);
    const query = { ...consent(url), state: url.searchParams.get("state") ?? "" };
    const returning = this.#gateway.engine.services.linking.returned(query, CALLBACK);
    const back = await this.#world.clock.resolve(returning, LIMIT_MS);
    if (back === null) throw new Error("no session waits for the vendor");
    this.#at = back.at;
    return await this.see();
  }

  /** Looks again until the page shows one of the steps. */
  async await(...steps: readonly LinkStepView["step"][]): Promise<LinkStepView> {
    let now = await this.see();
    for (let looks = 0; !steps.includes(now.step); looks += 1) {
      if (looks >= LOOKS) throw new Error(`the link page never showed ${steps}, but ${JSON.stringify(now)}`);
      await this.#world.clock.advance(5_000);
      now = await this.see();
    }
    return now;
  }

  /** Takes all devices, and says yes to whatever is left to the owner. */
  async takeAll(): Promise<void> {
    const now = await this.see();
    if (now.step === "devices") await this.press({ device: now.devices.map(({ key }) => key) });
    for (let view = await this.see(); view.step === "setup"; view = await this.see()) {
      await this.press(Object.fromEntries(view.fields.map((field) => [field.name, yesTo(field)])));
    }
    const end = await this.see();
    if (end.step !== "done") throw new Error(`linking ended with ${JSON.stringify(end)}`);
  }

  #view() {
    const view = this.#gateway.engine.services.linking.view(this.#token, this.#at);
    if ("closed" in view) throw new Error(`the link session is ${view.closed}`);
    return view;
  }
}

/** Ticks every box, where each control has one of its own, too. */
function yesTo(field: LinkField): string | readonly string[] {
  return field.kind === "confirm" && field.isPerControl === true ? field.details.map(({ point }) => point) : "yes";
}
