/** Vendors of a made-up town, one for each way to link, over fake devices. */
import { z } from "zod";
import { DeviceError } from "../../../src/points/device-error.ts";
import { type Adapter, defineAdapter } from "../../../src/sdk/driver.ts";
import type { FoundDevice, LinkableVendor, LinkField, LinkStep, LinkTurn } from "../../../src/sdk/linking.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";

const SIGN_IN: LinkableVendor["fields"] = [
  { name: "username", kind: "email" },
  { name: "password", kind: "password" },
];
const CODE: LinkableVendor["fields"] = [{ name: "code", kind: "code" }];

const VENDORS: readonly LinkableVendor[] = [
  vendor("easee", "EASEE", "Easee", ["charger"], "sign-in", SIGN_IN),
  vendor("zaptec", "ZAPTEC", "Zaptec", ["charger"], "redirect", []),
  vendor("tesla", "TESLA", "Tesla", ["charger", "vehicle"], "device-code", []),
  vendor("keba", "KEBA", "KEBA", ["charger"], "local", [{ name: "host", kind: "host" }]),
  {
    ...vendor("keba-cloud", "KEBA", "KEBA", ["charger"], "sign-in", SIGN_IN),
    portalName: "KEBA eMobility",
  },
];

function vendor(
  id: string,
  code: string,
  displayName: string,
  vendorTypes: LinkableVendor["vendorTypes"],
  method: LinkableVendor["method"],
  fields: LinkableVendor["fields"],
): LinkableVendor {
  return {
    id,
    vendors: [code, "SIMULATED"],
    vendorTypes,
    displayName,
    portalName: `${displayName} app`,
    method,
    fields,
  };
}

const CHARGER: FoundDevice["vendorTypes"] = ["charger"];

interface Possession {
  readonly device: FakeDevice;
  readonly name: string;
  /** Absent: a charger. */
  readonly vendorTypes?: FoundDevice["vendorTypes"];
}

/** What the vendors do at this moment; a test changes it. */
export interface Town {
  readonly adapter: Adapter;
  /** The devices of the one account, by their key. */
  readonly account: Record<string, Possession>;
  password: string;
  /** Null: no second factor. */
  code: string | null;
  /** How the vendors answer now. */
  mood: "well" | "down" | "silent" | "broken";
  /** True: the device code was entered. */
  isEntered: boolean;
  /** What the owner of each device is asked, once it was chosen. */
  questions: readonly LinkField[];
  /** What the last step came with. */
  lastStep: LinkStep | null;
}

/** Brands beside those that differ in how they link, with their vendor codes. */
export type MoreBrands = Readonly<Record<string, string>>;

/** A vendor whose device wants its button pressed; only in towns that ask for it. */
const BUTTON = vendor("button", "HOMEWIZARD", "HomeWizard", ["charger"], "local", [{ name: "host", kind: "host" }]);

export function makeTown(more: MoreBrands = {}, { hasButton = false } = {}): Town {
  const account: Town["account"] = {};
  const options = z.object({ key: z.string(), password: z.string() });
  const found = (): LinkTurn => ({
    kind: "found",
    devices: Object.entries(account).map(([key, { name, vendorTypes = CHARGER }]): FoundDevice => {
      const own = { key, password: town.password };
      return { key, vendorTypes, name, model: "Home", detail: key, options: own };
    }),
  });
  const adapter = defineAdapter({
    name: "town",
    options,
    linking: [
      ...VENDORS,
      ...(hasButton ? [BUTTON] : []),
      ...Object.entries(more).map(([name, code]) =>
        vendor(code.toLowerCase(), code, name, ["charger"], "sign-in", SIGN_IN),
      ),
    ],
    start: ({ clock }) => ({
      connect: async (_id, { key, password }, signal) => {
        const known = account[key];
        if (known === undefined || password !== town.password) throw new DeviceError("unreachable", "no such device");
        return await known.device.connect(clock, signal);
      },
      linking: {
        take: async (step) => {
          town.lastStep = step;
          if (town.mood === "silent") await new Promise(() => undefined);
          if (town.mood === "broken") throw new Error("the vendor's answer is nonsense");
          if (town.mood === "down") return { kind: "refused", why: "unavailable" };
          return takeStep(town, step, found);
        },
        setup: {
          fields: async () => town.questions,
          apply: async (device) => ({ kind: "ready", device }),
        },
        discover: async () => {
          await clock.sleep(5_000, new AbortController().signal);
          const turn = found();
          return turn.kind === "found" ? turn.devices : [];
        },
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  });
  const town: Town = {
    // The options' type is the adapter's own business.
    adapter: adapter as unknown as Adapter,
    account,
    password: "sunshine",
    code: null,
    mood: "well",
    isEntered: false,
    questions: [],
    lastStep: null,
  };
  return town;
}

function takeStep(town: Town, { vendorId, answer, memo, callback }: LinkStep, found: () => LinkTurn): LinkTurn {
  if (vendorId === BUTTON.id) return town.isEntered ? found() : { kind: "ask", fields: [], memo: "pressed?" };
  if (vendorId === "zaptec") {
    if (answer.kind !== "returned") {
      return { kind: "redirect", url: `https://portal.example/sign-in?state=${callback.state}`, memo: "asked" };
    }
    return answer.query["code"] === "good" && memo === "asked" ? found() : refused("invalid-credentials");
  }
  if (vendorId === "tesla") {
    const wait = { kind: "wait", url: "https://portal.example/device", code: "WDJB-MJHT", pollMs: 5_000 } as const;
    return answer.kind === "poll" && town.isEntered ? found() : { ...wait, memo: "waiting" };
  }
  const values = answer.kind === "form" ? answer.values : {};
  if (vendorId === "keba") return values["host"] === "192.168.1.40" ? found() : refused("not-answering");
  if (memo === "code asked") return values["code"] === town.code ? found() : refused("failed-auth-challenge");
  if (values["password"] !== town.password) return refused("invalid-credentials");
  return town.code === null ? found() : { kind: "ask", fields: CODE, memo: "code asked" };
}

function refused(why: Extract<LinkTurn, { readonly kind: "refused" }>["why"]): LinkTurn {
  return { kind: "refused", why };
}
