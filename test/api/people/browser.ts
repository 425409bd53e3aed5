/** A browser of a person in a simulated house: it keeps the cookie, and sends what the gateway's own page would. */
import type { LightMyRequestResponse } from "fastify";
import { configSchema } from "../../../src/config/config.ts";
import { batteryOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";
import { watchAnswers } from "../support/watch-answers.ts";

const ANSWER_LIMIT_MS = 25_000;
const ORIGIN = "http://localhost:8080";
const CONFIG = configSchema([]).parse({});

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export class Browser {
  readonly #house: RealHouse;
  readonly #address: string;
  readonly #watch: ReturnType<typeof watchAnswers>;
  cookie: string | null = null;
  csrfToken: string | null = null;

  constructor(house: RealHouse, address = "192.168.1.7") {
    this.#house = house;
    this.#address = address;
    this.#watch = watchAnswers(house.api, CONFIG);
  }

  get(url: string, more: Sent = {}): Promise<LightMyRequestResponse> {
    return this.send("GET", url, undefined, more);
  }

  async send(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    body?: object,
    { headers = {}, address = this.#address }: Sent = {},
  ): Promise<LightMyRequestResponse> {
    const own = {
      host: "localhost:8080",
      ...(method !== "GET" && { origin: ORIGIN }),
      ...(this.cookie !== null && { cookie: `other=1; hemgate-session=${this.cookie}` }),
      ...(this.csrfToken !== null && { "x-csrf-token": this.csrfToken }),
    };
    const asked = { method, url, remoteAddress: address, headers: { ...own, ...headers } };
    const answer = await this.#house.home.world.clock.resolve(
      this.#house.api.inject({ ...asked, ...(body !== undefined && { payload: body }) }).then((made) => made),
      ANSWER_LIMIT_MS,
    );
    await this.#watch(asked, answer);
    const [, cookie] = /^hemgate-session=([^;]*);/.exec(String(answer.headers["set-cookie"] ?? "")) ?? [];
    if (cookie !== undefined) this.cookie = cookie === "" ? null : cookie;
    if (answer.statusCode < 300 && answer.body.includes("csrfToken")) this.csrfToken = answer.json().csrfToken;
    return answer;
  }

  /** Claims with the setup code of the gateway. */
  claim(name = "Anna", password = "correct horse"): Promise<LightMyRequestResponse> {
    const code = this.#house.run.engine.services.people.setupCode() ?? "";
    return this.send("POST", "/local/claim", { code, name, password });
  }

  signIn(name: string, password: string, more: Sent = {}): Promise<LightMyRequestResponse> {
    return this.send("POST", "/local/session", { name, password }, more);
  }
}

/** An owner who has just claimed the gateway. */
export async function ownerOf(house: RealHouse): Promise<Browser> {
  const owner = new Browser(house);
  await owner.claim();
  return owner;
}

/** A browser with the session of a new person, made by the owner. */
export async function personOf(house: RealHouse, owner: Browser, role: string, name: string = role): Promise<Browser> {
  const password = `the ${role}'s password`;
  await owner.send("POST", "/local/people", { name, role, password });
  const browser = new Browser(house, "192.168.1.8");
  await browser.signIn(name, password);
  return browser;
}

/** A house with a battery that answers. */
export async function house(options: Parameters<typeof openRealHouse>[0] = {}): Promise<RealHouse> {
  const home = options.home ?? makeHome();
  home.add("battery", batteryOptions());
  const opened = await openRealHouse({ ...options, home });
  await opened.pass(5_000);
  return opened;
}

export const DAY_MS = 24 * 3_600_000;

/** Sets the wall clock ahead: no device has to live through the days. */
export function skip({ home }: RealHouse, ms: number): void {
  const { clock } = home.world;
  clock.setWallMs(clock.nowMs() + ms);
}

export async function batteryPath(owner: Browser): Promise<string> {
  return `/batteries/${(await owner.get("/batteries")).json().data[0].id}/operation-mode`;
}
