/** Answers of a hostile device to every profile that is read over HTTP. */
import { DeviceError } from "hemgate/sdk";
import type { SeededRandom } from "hemgate/testing";
import { expect } from "vitest";
import { KNOWN_HTTP_PROFILES } from "../../adapters/http-json/known-http-profiles.ts";
import type { SimWebAnswer, SimWebRequest } from "../../src/testing/network/sim-web.ts";
import { bed } from "../adapters/http-json/http-world.ts";
import { countedExpect } from "../counted-expect.ts";
import { campaign, type Step } from "./campaign.ts";
import { HTTP_DEVICES } from "./http-devices.ts";
import { spoiledJson, spoiledText } from "./mutate.ts";

/** A request that rests because the device seemed not to know it is asked again after ten minutes. */
const REST_MS = 700_000;

/** Spoils what a device answers while it is switched on, and takes down every number that it sent. */
class Spoiler {
  isOn = false;
  readonly numbers: number[] = [];
  readonly #random: SeededRandom;
  readonly #step: Step;

  constructor(step: Step) {
    this.#random = step.random.fork("answers");
    this.#step = step;
  }

  spoil(answer: SimWebAnswer): SimWebAnswer {
    if (!this.isOn) return answer;
    const spoiled = this.#spoiled(answer);
    const { status = 200, fault, body = "" } = spoiled;
    this.#step.sent(`${fault ?? status} ${body.slice(0, 2_000)}`);
    for (const [number] of body.matchAll(/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g)) this.numbers.push(Number(number));
    return spoiled;
  }

  #spoiled(answer: SimWebAnswer): SimWebAnswer {
    const random = this.#random;
    const { body = "" } = answer;
    switch (random.below(9)) {
      case 0:
        return { ...answer, status: random.pick([100, 201, 204, 301, 400, 401, 403, 404, 418, 429, 500, 503, 599]) };
      case 1:
        return { ...answer, fault: random.pick(["hang", "break"]) };
      case 2:
        return { ...answer, body: Buffer.from(random.secretBytes(random.below(3_000))).toString("latin1") };
      case 3:
        return {
          ...answer,
          body: random.pick(["", "null", "[]", "{}", "0", '"', "[".repeat(9_000), `{"a":${"[".repeat(9_000)}`]),
        };
      case 4:
        return { ...answer, body: spoiledText(body, random) };
      case 5:
        return {
          ...answer,
          headers: { "retry-after": random.pick(["-1", "1e9", "nonsense", "999999999999"]) },
          status: 503,
        };
      default:
        return { ...answer, body: spoiledDocument(body, random) };
    }
  }
}

function spoiledDocument(body: string, random: SeededRandom): string {
  try {
    return JSON.stringify(spoiledJson(JSON.parse(body), random)) ?? "";
  } catch {
    return spoiledText(body, random);
  }
}

const expectFinite = countedExpect("a number that is read");
const expectCarried = countedExpect("a number other than the honest one");
const expectRefusal = countedExpect("a device that is hostile at once");
const expectFailure = countedExpect("a read that fails");
const ANSWERS = { share: 0.12, counted: [expectFinite, expectCarried, expectRefusal, expectFailure] };

type Points = Readonly<Record<string, unknown>>;

/** A point that is one number of one answer stands in an answer; what is made of several is a number, at least. */
function checkCarried(profileId: string, points: Points, honest: Points, numbers: readonly number[]): void {
  const profile = KNOWN_HTTP_PROFILES.find(({ id }) => id === profileId);
  for (const [point, value] of Object.entries(points)) {
    if (typeof value === "number") expectFinite(value, point).toSatisfy(Number.isFinite);
    if (typeof value !== "number" || value === honest[point]) continue;
    const [direct] = (profile?.points ?? []).filter(({ key }) => key === point);
    if (direct === undefined || direct.combine !== undefined) continue;
    const { scale = 1 } = direct;
    const isThere = numbers.some((number) => Math.abs(number * scale - value) <= Math.abs(value) * 1e-9);
    expectCarried(isThere, `${profileId} ${point}: ${value}`).toBe(true);
  }
}

campaign("answers of a hostile device over HTTP", ANSWERS, async (step) => {
  const chosen = HTTP_DEVICES[step.random.below(HTTP_DEVICES.length)];
  if (chosen === undefined) return;
  const [given, makeTwin] = chosen;
  step.sent(given.profile);
  const spoiler = new Spoiler(step);
  const twin = makeTwin();
  const { connect, read, world, adapter } = bed(
    { serve: (request: SimWebRequest) => spoiler.spoil(twin.serve(request)) },
    given,
  );
  spoiler.isOn = step.random.isChance(0.2);
  const early = await connect().catch((error: unknown) => error);
  if (early instanceof Error) expectRefusal(early).toBeInstanceOf(DeviceError);
  else if (spoiler.isOn) await (early as AsyncDisposable)[Symbol.asyncDispose]();
  spoiler.isOn = false;
  await world.clock.advance(REST_MS);
  await using driver = await connect();
  const honest = await read(driver);
  spoiler.isOn = true;
  for (let turn = 0; turn < 4; turn += 1) {
    await world.clock.advance(step.random.between(0, 20_000));
    const points = await read(driver).catch((error: unknown) => error);
    if (points instanceof Error) expectFailure(points).toBeInstanceOf(DeviceError);
    else checkCarried(given.profile, points as Points, honest, spoiler.numbers);
  }
  spoiler.isOn = false;
  await world.clock.advance(REST_MS);
  expect(await read(driver), "what is read once the device is well again").toEqual(honest);
  await adapter[Symbol.asyncDispose]();
});
