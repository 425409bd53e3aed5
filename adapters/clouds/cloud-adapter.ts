import {
  CONTROL_POINTS,
  confirmedControls,
  confirmedNoFailsafe,
  confirmedProblem,
  defineAdapter,
  type LinkableVendor,
  lazy,
  runOnUse,
} from "hemgate/sdk";
import { z } from "zod";
import type { Apps } from "./kit/connector.ts";
import { type CloudVendor, keyVendor } from "./kit/vendor.ts";

const MAX_KEY = 200;

const OPTIONS = z.object({
  vendor: z.string().min(1).max(MAX_KEY).meta({ description: "The vendor's cloud, such as tado." }),
  account: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The account that was signed in to on the link page; its login is kept by the gateway." }),
  device: z.string().min(1).max(MAX_KEY).meta({ description: "The vendor's id of the device." }),
  confirmUnverified: confirmedControls("controls whose effect nobody checked"),
  confirmNoFailsafe: confirmedNoFailsafe("vendor"),
});
export type CloudOptions = z.infer<typeof OPTIONS>;

/** What is known of clouds before an account is signed in to. */
export interface CloudTerms {
  readonly vendors: readonly CloudVendor[];
  readonly apps: Apps;
}

const loadRunning = lazy("the adapter of clouds", async () => (await import("./running-clouds.ts")).RunningClouds);

/**
 * Makes the adapter of devices behind their vendors' clouds. This half checks options and offers sign-ins; the other is
 * loaded with the first account, and a vendor's connector with the first of the vendor's.
 */
export function cloudAdapter({ vendors, apps }: CloudTerms) {
  return defineAdapter({
    name: "clouds",
    options: OPTIONS,
    check({ vendor, confirmUnverified }) {
      if (!vendors.some(({ id }) => id === vendor)) return `there is no cloud of a vendor "${vendor}"`;
      // Which of them a device has only its cloud tells.
      return confirmedProblem(vendor, confirmUnverified, CONTROL_POINTS);
    },
    linking: linkableClouds(vendors, apps),
    start: (context) =>
      runOnUse(
        async () => {
          const Running = await loadRunning();
          return new Running(context, { vendors, apps });
        },
        { linking: { hasSetup: true }, hasWellKnown: (path) => keyVendor(path, { vendors, apps }) !== null },
      ),
  });
}

/** Returns the clouds that can be linked: those that need the owner's registration only where there is one. */
function linkableClouds(vendors: readonly CloudVendor[], apps: Apps): readonly LinkableVendor[] {
  return vendors
    .filter(({ id, needsApp }) => !needsApp || apps[id] !== undefined)
    .map(({ id, vendors: codes, types, displayName, portalName, method, fields }) => ({
      id,
      vendors: codes,
      vendorTypes: types,
      displayName,
      portalName,
      method,
      fields,
    }));
}
