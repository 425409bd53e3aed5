/** Examples of linking, of the remedies, and of the vendors. */
import type { z } from "zod";
import { type Intervention, interventions } from "../../../domain/interventions/intervention.ts";
import type { LinkAnswer, LinkBody, RelinkBody } from "../../../domain/linking/link.ts";
import type { Integration, VendorHealth } from "../../../domain/vendors/vendor-health.ts";

const TOKEN = "q3V5b0xkR2JmN0tqWjJ4cUE0c1h0WmZ3bVd1UjlnRHk";

const LINK: LinkBody = {
  vendor: "EASEE",
  vendorType: "charger",
  scopes: ["charger:read:data", "charger:control:charging"],
  language: "browser",
  redirectUri: "com.example.app://linked",
  colorScheme: "system",
};

const RELINK: RelinkBody = { language: "de-DE", redirectUri: "https://app.example/linked" };

const SESSION: z.infer<typeof LinkAnswer> = { linkUrl: `http://192.168.1.20:8080/link/${TOKEN}`, linkToken: TOKEN };

const INTERVENTIONS: readonly Intervention[] = interventions("en-US", { vendor: "EASEE", vendorType: "charger" });

const HEALTH: VendorHealth = {
  vendor: "KEBA",
  displayName: "KEBA",
  portalName: "KeContact P30",
  status: "READY",
  linkingStatus: "READY",
};

const INTEGRATION: Integration = {
  ...HEALTH,
  assetTypes: ["charger"],
  scopes: ["charger:control:charging", "charger:read:data"],
};

export const LINKING_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  LinkRequest: [LINK],
  RelinkRequest: [RELINK],
  LinkSession: [SESSION],
  Intervention: INTERVENTIONS.slice(0, 1),
  VendorHealth: [HEALTH],
  Integration: [INTEGRATION],
};
