import { createHash } from "node:crypto";
import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { chosenLanguage } from "../language.ts";
import { GENERIC_VENDORS, VENDORS, vendorName } from "../vendors/vendor.ts";
import { INTERVENTION_TEXTS } from "./intervention-texts.ts";
import type { InterventionTexts } from "./texts/text.ts";

/** A remedy that a person can apply so that a capability becomes available, or keeps working (rule I2.16). */
export const Intervention = z
  .object({
    id: z.uuid(),
    vendor: z.string().nullable().meta({ description: "Vendor code; null when it is for any vendor." }),
    vendorType: z.enum(ASSET_KINDS).nullable().meta({ description: "Kind of asset; null when it is for any." }),
    brand: z.string().nullable().meta({ description: "The vendor as people write it; null when it is for any." }),
    introducedAt: z.iso.datetime().meta({ description: "When this remedy came into the catalogue." }),
    domain: z.enum(["Account", "Device"]).meta({ description: "What it is done to." }),
    resolution: z.object({
      title: z.string(),
      description: z.string().meta({ description: "What to do, as Markdown, in the chosen language." }),
      access: z.enum(["Remote", "Physical"]).meta({ description: "Whether somebody has to stand at the device." }),
      agent: z.enum(["User", "ThirdParty"]).meta({ description: "Who can do it; a third party is the installer." }),
      action: z
        .enum(["Link"])
        .nullable()
        .meta({ description: "`Link`: the user goes through linking again. Null: no call of this API helps." }),
    }),
  })
  .meta({ id: "Intervention" });
export type Intervention = z.infer<typeof Intervention>;

/** Why a capability is missing or in doubt, as a remedy knows it. */
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
  // Relinking is for lost authorizations only, so more permissions take a link session of their own.
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

/** A row of the catalogue before it has words. */
interface Row {
  readonly id: string;
  readonly kind: InterventionKind;
  readonly vendor: string | null;
  readonly vendorType: AssetKind | null;
}

const CATALOGUE: ReadonlyMap<string, Row> = new Map(
  [...KINDS.flatMap(vendorRows), ...KINDS.map((kind) => row(kind, null, null))].map((each) => [each.id, each]),
);

/** Which remedies are asked for. */
export interface InterventionFilter {
  readonly vendor?: string | undefined;
  readonly vendorType?: AssetKind | undefined;
}

/**
 * The id of the remedy for a vendor's assets of a type: the vendor's own where the catalogue has one, else the one for
 * any vendor. The same for good: clients keep ids.
 */
export function interventionId(kind: InterventionKind, vendor: string, vendorType: AssetKind): string {
  const id = nameId(kind, vendor, vendorType);
  return CATALOGUE.has(id) ? id : nameId(kind, null, null);
}

/** The remedies in the nearest language there is. An unsupported language is answered in English, without an error. */
export function interventions(language: string | undefined, filter: InterventionFilter = {}): readonly Intervention[] {
  return [...CATALOGUE.values()]
    .filter(({ vendor }) => filter.vendor === undefined || vendor === filter.vendor)
    .filter(({ vendorType }) => filter.vendorType === undefined || vendorType === filter.vendorType)
    .map((each) => worded(each, language));
}

/** Null when the catalogue has none of that id. */
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

/** A version 5 UUID (RFC 9562) of the row's names, in a name space of the catalogue's own. */
function nameId(kind: InterventionKind, vendor: string | null, vendorType: AssetKind | null): string {
  const bytes = createHash("sha1")
    .update(`hemgate:intervention:${kind}:${vendor ?? "*"}:${vendorType ?? "*"}`)
    .digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
