import { createHash } from "node:crypto";
import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { chosenLanguage } from "../language.ts";
import { GENERIC_VENDORS, VENDORS, vendorName } from "../vendors/vendor.ts";
import { INTERVENTION_TEXTS } from "./intervention-texts.ts";
import type { InterventionTexts } from "./texts/text.ts";

/** An instruction to a person that makes a capability available or keeps it working (rule I2.16). */
export const Intervention = z
  .object({
    id: z.uuid().meta({ description: "Id of the intervention; it never changes." }),
    vendor: z.string().nullable().meta({ description: "Vendor code; `null` if the intervention is for all vendors." }),
    vendorType: z.enum(ASSET_KINDS).nullable().meta({
      description: "Kind of device; `null` if the intervention is for all kinds.",
    }),
    brand: z.string().nullable().meta({
      description: "Name of the vendor for users; `null` if the intervention is for all vendors.",
    }),
    introducedAt: z.iso.datetime().meta({ description: "Time at which the intervention was added to the catalogue." }),
    domain: z.enum(["Account", "Device"]).meta({
      description: "`Account`: concerns the account at the vendor. `Device`: concerns the device.",
    }),
    resolution: z.object({
      title: z.string().meta({ description: "Title in the requested language." }),
      description: z.string().meta({ description: "What to do, as Markdown, in the requested language." }),
      access: z.enum(["Remote", "Physical"]).meta({
        description: "`Physical` if somebody has to be at the device.",
      }),
      agent: z.enum(["User", "ThirdParty"]).meta({
        description: "Who can do it: the user, or a third party such as the installer.",
      }),
      action: z.enum(["Link"]).nullable().meta({
        description: "`Link`: link the account again. `null` if no request of this API solves the problem.",
      }),
    }),
  })
  .meta({ id: "Intervention", description: "An instruction to a person that makes a capability available." });
export type Intervention = z.infer<typeof Intervention>;

/** The problem that an intervention solves. */
export type InterventionKind =
  | "relink"
  | "reconnect"
  | "grant-control"
  | "confirm-control"
  | "check-installation"
  | "other-controller"
  | "enable-modbus";

type Rule = Pick<Intervention, "domain" | "introducedAt"> &
  Pick<Intervention["resolution"], "access" | "agent" | "action"> & { readonly isFor: readonly AssetKind[] };

const NOT_VEHICLES = ASSET_KINDS.filter((kind) => kind !== "vehicle");
const CONTROLLED = ASSET_KINDS.filter((kind) => kind !== "meter" && kind !== "inverter");
const FIRST = "2026-11-21T00:00:00.000Z";

const RULES: Readonly<Record<InterventionKind, Rule>> = {
  relink: {
    domain: "Account",
    introducedAt: FIRST,
    access: "Remote",
    agent: "User",
    action: "Link",
    isFor: ASSET_KINDS,
  },
  reconnect: {
    domain: "Device",
    introducedAt: FIRST,
    access: "Physical",
    agent: "User",
    action: null,
    isFor: NOT_VEHICLES,
  },
  // Relinking is only for lost authorizations, so more permissions need a new link session.
  "grant-control": {
    domain: "Account",
    introducedAt: FIRST,
    access: "Remote",
    agent: "User",
    action: null,
    isFor: CONTROLLED,
  },
  "confirm-control": {
    domain: "Device",
    introducedAt: FIRST,
    access: "Remote",
    agent: "ThirdParty",
    action: null,
    isFor: NOT_VEHICLES,
  },
  "check-installation": {
    domain: "Device",
    introducedAt: FIRST,
    access: "Physical",
    agent: "ThirdParty",
    action: null,
    isFor: NOT_VEHICLES,
  },
  "other-controller": {
    domain: "Device",
    introducedAt: "2026-11-22T00:00:00.000Z",
    access: "Remote",
    agent: "User",
    action: null,
    isFor: CONTROLLED,
  },
  "enable-modbus": {
    domain: "Device",
    introducedAt: FIRST,
    access: "Physical",
    agent: "ThirdParty",
    action: null,
    isFor: ["battery", "charger", "inverter", "meter"],
  },
};
const KINDS: readonly InterventionKind[] = [
  "relink",
  "reconnect",
  "grant-control",
  "confirm-control",
  "check-installation",
  "other-controller",
  "enable-modbus",
];

/** A row of the catalogue without its texts. */
interface Row {
  readonly id: string;
  readonly kind: InterventionKind;
  readonly vendor: string | null;
  readonly vendorType: AssetKind | null;
}

const CATALOGUE: ReadonlyMap<string, Row> = new Map(
  [...KINDS.flatMap(vendorRows), ...KINDS.map((kind) => row(kind, null, null))].map((each) => [each.id, each]),
);

/** Limits a list of interventions. */
export interface InterventionFilter {
  readonly vendor?: string | undefined;
  readonly vendorType?: AssetKind | undefined;
}

/**
 * Returns the id of the intervention for a vendor and kind of asset, else of the one for all vendors. Ids never change,
 * because clients store them.
 */
export function interventionId(kind: InterventionKind, vendor: string, vendorType: AssetKind): string {
  const id = nameId(kind, vendor, vendorType);
  return CATALOGUE.has(id) ? id : nameId(kind, null, null);
}

/** Returns the interventions in the language; in English if the language is not supported. */
export function interventions(language: string | undefined, filter: InterventionFilter = {}): readonly Intervention[] {
  return [...CATALOGUE.values()]
    .filter(({ vendor }) => filter.vendor === undefined || vendor === filter.vendor)
    .filter(({ vendorType }) => filter.vendorType === undefined || vendorType === filter.vendorType)
    .map((each) => worded(each, language));
}

/** Returns the intervention with the id; `null` if there is none. */
export function findIntervention(id: string, language: string | undefined): Intervention | null {
  const found = CATALOGUE.get(id.toLowerCase());
  return found === undefined ? null : worded(found, language);
}

function vendorRows(kind: InterventionKind): readonly Row[] {
  return RULES[kind].isFor.flatMap((vendorType) =>
    [...VENDORS[vendorType], ...GENERIC_VENDORS].map((vendor) => row(kind, vendor, vendorType)),
  );
}

function row(kind: InterventionKind, vendor: string | null, vendorType: AssetKind | null): Row {
  return { id: nameId(kind, vendor, vendorType), kind, vendor, vendorType };
}

function worded({ id, kind, vendor, vendorType }: Row, language: string | undefined): Intervention {
  const { domain, introducedAt, access, agent, action } = RULES[kind];
  const brand = vendor === null ? null : vendorName(vendor);
  const texts = chosenLanguage<InterventionTexts>(INTERVENTION_TEXTS, language);
  const { title, description } = texts[kind](brand);
  return {
    id,
    vendor,
    vendorType,
    brand,
    introducedAt,
    domain,
    resolution: { title, description, access, agent, action },
  };
}

/** Returns a version 5 UUID (RFC 9562) of the row's names, in the catalogue's name space. */
function nameId(kind: InterventionKind, vendor: string | null, vendorType: AssetKind | null): string {
  const bytes = createHash("sha1")
    .update(`hemgate:intervention:${kind}:${vendor ?? "*"}:${vendorType ?? "*"}`)
    .digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
