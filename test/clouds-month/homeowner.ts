/** Who links accounts, sends commands from an app, and takes permissions back. */

import { SCOPES } from "../../src/domain/users/scope.ts";
import type { World } from "../../src/testing/world.ts";
import { type Answer, ApiClient } from "../long-run/api-client.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import { field } from "../long-run/json-fields.ts";
import type { Wish } from "./estate.ts";
import { LinkPage } from "./link-page.ts";
import type { Vendor } from "./vendor.ts";

const LINK = { language: "en-US", redirectUri: "app://done" } as const;
/** What the API may say to a client whose command comes at a bad moment. */
const FAIR = new Set([200, 400, 404, 409, 422]);

export class Homeowner {
  readonly #world: World;
  readonly #box: GatewayBox;
  readonly #client: ApiClient;

  constructor(world: World, box: GatewayBox) {
    this.#world = world;
    this.#box = box;
    this.#client = new ApiClient(world, box);
  }

  async join(): Promise<void> {
    await this.#client.join("resident");
  }

  /** Null: the gateway is not there, or lost power while it was asked. */
  async ask(...request: Parameters<ApiClient["ask"]>): Promise<Answer | null> {
    const { running } = this.#box;
    try {
      return await this.#client.ask(...request);
    } catch (error) {
      if (this.#box.running === running) throw error;
      return null;
    }
  }

  /** Signs in at the vendor, from the app's first request to the page's last. */
  async link(vendor: Vendor): Promise<void> {
    const { vendor: code, id, facts } = vendor.estate;
    const body = { ...LINK, scopes: Object.values(SCOPES).flat(), vendor: code, vendorType: facts[0]?.kind };
    await this.#signIn(vendor, await this.ask("POST", `/users/${id}/link`, body));
  }

  /** Signs in anew, where an asset's remedy leads to. */
  async relink(vendor: Vendor, assetId: string): Promise<void> {
    await this.#signIn(vendor, await this.ask("POST", `/assets/${assetId}/relink`, LINK));
  }

  /** The command's id; null when it was not taken. Rejects for an answer that nobody should get. */
  async command(vendor: Vendor, { kind, path, body }: Wish, assetId: string): Promise<string | null> {
    vendor.wishedAtMs = this.#world.clock.monotonicMs();
    const plural = kind === "battery" ? "batteries" : `${kind}s`;
    const answer = await this.ask("POST", `/${plural}/${assetId}/${path}`, body);
    if (answer === null) return null;
    const said = `${path} ${JSON.stringify(body)} of ${vendor.estate.id}: ${answer.status} ${JSON.stringify(answer.body)}`;
    if (!FAIR.has(answer.status)) throw new Error(said);
    return answer.status === 200 ? String(field(answer.body, "id")) : null;
  }

  async #signIn({ estate }: Vendor, answer: Answer | null): Promise<void> {
    const gateway = this.#box.running?.gateway;
    if (gateway === undefined || answer?.status !== 200) throw new Error(`${estate.id}: ${JSON.stringify(answer)}`);
    const page = new LinkPage(this.#world, gateway, String(field(answer.body, "linkToken")));
    for (let now = await page.see(); ; now = await page.see()) {
      if (now.step === "intro" || now.step === "outage") await page.press();
      else if (now.step === "consent") await page.press({ scope: now.scopes });
      else break;
    }
    await estate.signIn(page);
    await page.takeAll();
  }
}
