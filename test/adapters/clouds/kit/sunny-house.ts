/** A gateway's engine in a world with the made-up cloud, and a person who links an account of it. */
import { cloudAdapter } from "../../../../adapters/clouds/cloud-adapter.ts";
import type { CloudConnector } from "../../../../adapters/clouds/kit/connector.ts";
import { vendorOf } from "../../../../adapters/clouds/kit/vendor.ts";
import type { LinkStepView } from "../../../../src/domain/linking/link-view.ts";
import type { Adapter } from "../../../../src/sdk/driver.ts";
import { type Home, makeHome, type Run } from "../../../engine/home.ts";
import { APP } from "../fake-session.ts";
import { SunnyTwin, sunny } from "./sunny.ts";

const LIMIT_MS = 120_000;
const CALLBACK = "http://gateway.local:8080/link/callback";
export const SCOPES: ("charger:control:charging" | "charger:read:data")[] = [
  "charger:control:charging",
  "charger:read:data",
];

export interface SunnyHouse {
  readonly home: Home;
  readonly twin: SunnyTwin;
  start(): Promise<Run>;
  pass(ms: number): Promise<void>;
}

export function sunnyHouse(
  kind: CloudConnector["login"]["kind"],
  change: Partial<CloudConnector> = {},
  desk: ConstructorParameters<typeof SunnyTwin>[1] = {},
): SunnyHouse {
  const connectors = [sunny(kind, change)];
  // The options' type is the adapter's own business.
  const adapter = cloudAdapter({ apps: { sunny: APP }, vendors: connectors.map(vendorOf) }) as unknown as Adapter;
  const home = makeHome(1, { adapters: [adapter] });
  const twin = new SunnyTwin(home.world.clock, desk);
  twin.join(home.world.web, "93.184.216.10");
  return { home, twin, start: () => home.start({ devices: [] }), pass: (ms) => home.world.clock.advance(ms) };
}

/** What a person needs of a house. */
type LinkHouse = Pick<SunnyHouse, "home" | "pass">;

/** Somebody on a link page. */
export class Person {
  readonly #house: LinkHouse;
  readonly #run: Run;
  readonly #token: string;
  #at: string | undefined;

  private constructor(house: LinkHouse, run: Run, token: string) {
    this.#house = house;
    this.#run = run;
    this.#token = token;
  }

  /** Begins to link, up to the sign-in. */
  static async link(house: LinkHouse, run: Run, userId = "ada"): Promise<Person> {
    const body = {
      scopes: SCOPES,
      language: "en-US" as const,
      redirectUri: "app://done",
      vendor: "EASEE",
      vendorType: "charger" as const,
    };
    const starting = run.engine.services.linking.start(userId, body, null);
    const person = new Person(house, run, await house.home.world.clock.resolve(starting, LIMIT_MS));
    await person.press();
    await person.press({ scope: SCOPES });
    return person;
  }

  static async relink(house: LinkHouse, run: Run, assetId: string): Promise<Person> {
    const body = { language: "en-US", redirectUri: "app://done" } as const;
    const starting = run.engine.services.linking.relink(assetId, body, null);
    return new Person(house, run, await house.home.world.clock.resolve(starting, LIMIT_MS));
  }

  /** What the page shows once nothing is under way any more. */
  async see(): Promise<LinkStepView> {
    for (let looks = 0; looks < 100; looks += 1) {
      const view = this.#run.engine.services.linking.view(this.#token, this.#at);
      if ("closed" in view) throw new Error(`the session is ${view.closed}`);
      if (view.now.step !== "busy") return view.now;
      await this.#house.pass(1_000);
    }
    throw new Error("the page is busy for ever");
  }

  async press(
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    action = "next",
  ): Promise<LinkStepView> {
    const { linking } = this.#run.engine.services;
    const view = linking.view(this.#token, this.#at);
    if ("closed" in view) throw new Error(`the session is ${view.closed}`);
    const written = new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat()]));
    const answering = linking.answer(this.#token, { key: view.formKey, action, fields: written }, CALLBACK);
    this.#at = await this.#house.home.world.clock.resolve(answering, LIMIT_MS);
    return await this.see();
  }

  /** Chooses devices, and decides the same about each that leaves something to its owner. */
  async choose(keys: string | readonly string[], decisions: Readonly<Record<string, string>> = {}): Promise<string> {
    return await this.decide(await this.press({ device: keys }), decisions);
  }

  /** Goes through the pages of what is left to the owner; answers what comes after them. */
  async decide(now: LinkStepView, decisions: Readonly<Record<string, string>> = {}): Promise<string> {
    return now.step === "setup" ? await this.decide(await this.press(decisions), decisions) : now.step;
  }

  /** Comes back from the vendor's page. */
  async comeBack(query: Readonly<Record<string, string>>): Promise<LinkStepView> {
    const returning = this.#run.engine.services.linking.returned(query, CALLBACK);
    const back = await this.#house.home.world.clock.resolve(returning, LIMIT_MS);
    if (back === null) throw new Error("no session waits for that");
    this.#at = back.at;
    return await this.see();
  }

  /** Looks again until the page shows something else. */
  async await(step: LinkStepView["step"]): Promise<LinkStepView> {
    for (let looks = 0; looks < 60; looks += 1) {
      const now = await this.see();
      if (now.step === step) return now;
      await this.#house.pass(5_000);
    }
    throw new Error(`the page never showed ${step}`);
  }
}
