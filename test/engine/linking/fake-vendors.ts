/** Fake vendors, one for each way to link, over fake devices. */
import { z } from "zod";
import type { FoundDevice, LinkField } from "../../../src/domain/linking/link-form.ts";
import { DeviceError } from "../../../src/points/device-error.ts";
import { type Adapter, defineAdapter } from "../../../src/sdk/driver.ts";
import type { LinkableVendor, LinkOutcome, LinkStep } from "../../../src/sdk/linking.ts";
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

interface AccountDevice {
  readonly device: FakeDevice;
  readonly name: string;
  /** Absent: a charger. */
  readonly vendorTypes?: FoundDevice["vendorTypes"];
}

/** What the fake vendors answer at present; a test changes it. */
export interface FakeVendors {
  readonly adapter: Adapter;
  /** The devices of the only account, by key. */
  readonly account: Record<string, AccountDevice>;
  password: string;
  /** The second factor; `null` if the account has none. */
  code: string | null;
  /** `down` refuses each step, `silent` never answers, `broken` throws. */
  state: "working" | "down" | "silent" | "broken";
  /** True if the user entered the device code, or pressed the device button. */
  isEntered: boolean;
  /** The settings fields of each chosen device. */
  questions: readonly LinkField[];
  /** The last step that the adapter received. */
  lastStep: LinkStep | null;
}

/** Vendor codes of further brands with a sign-in, by brand. */
export type MoreBrands = Readonly<Record<string, string>>;

/** A vendor whose device has a button to press; only with `hasButton`. */
const BUTTON = vendor("button", "HOMEWIZARD", "HomeWizard", ["charger"], "local", [{ name: "host", kind: "host" }]);

export function makeFakeVendors(more: MoreBrands = {}, { hasButton = false } = {}): FakeVendors {
  const account: FakeVendors["account"] = {};
  const options = z.object({ key: z.string(), password: z.string() });
  const found = (): LinkOutcome => ({
    kind: "found",
    devices: Object.entries(account).map(([key, { name, vendorTypes = CHARGER }]): FoundDevice => {
      const own = { key, password: vendors.password };
      return { key, vendorTypes, name, model: "Home", detail: key, options: own };
    }),
  });
  const adapter = defineAdapter({
    name: "fake-vendors",
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
        if (known === undefined || password !== vendors.password)
          throw new DeviceError("unreachable", "no such device");
        return await known.device.connect(clock, signal);
      },
      linking: {
        take: async (step) => {
          vendors.lastStep = step;
          if (vendors.state === "silent") await new Promise(() => undefined);
          if (vendors.state === "broken") throw new Error("the vendor's answer is nonsense");
          if (vendors.state === "down") return { kind: "refused", why: "unavailable" };
          return takeStep(vendors, step, found);
        },
        setup: {
          fields: async () => vendors.questions,
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
  const vendors: FakeVendors = {
    // Callers need no type for the options.
    adapter: adapter as unknown as Adapter,
    account,
    password: "sunshine",
    code: null,
    state: "working",
    isEntered: false,
    questions: [],
    lastStep: null,
  };
  return vendors;
}

function takeStep(
  vendors: FakeVendors,
  { vendorId, answer, memo, callback }: LinkStep,
  found: () => LinkOutcome,
): LinkOutcome {
  if (vendorId === BUTTON.id) return vendors.isEntered ? found() : { kind: "ask", fields: [], memo: "pressed?" };
  if (vendorId === "zaptec") {
    if (answer.kind !== "returned") {
      return { kind: "redirect", url: `https://portal.example/sign-in?state=${callback.state}`, memo: "asked" };
    }
    return answer.query["code"] === "good" && memo === "asked" ? found() : refused("invalid-credentials");
  }
  if (vendorId === "tesla") {
    const wait = { kind: "wait", url: "https://portal.example/device", code: "WDJB-MJHT", pollMs: 5_000 } as const;
    return answer.kind === "poll" && vendors.isEntered ? found() : { ...wait, memo: "waiting" };
  }
  const values = answer.kind === "form" ? answer.values : {};
  if (vendorId === "keba") return values["host"] === "192.168.1.40" ? found() : refused("not-answering");
  if (memo === "code asked") return values["code"] === vendors.code ? found() : refused("failed-auth-challenge");
  if (values["password"] !== vendors.password) return refused("invalid-credentials");
  return vendors.code === null ? found() : { kind: "ask", fields: CODE, memo: "code asked" };
}

function refused(why: Extract<LinkOutcome, { readonly kind: "refused" }>["why"]): LinkOutcome {
  return { kind: "refused", why };
}
