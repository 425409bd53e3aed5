/** The file that a house is set up from. What is absent is not done. */
import { z } from "zod";
import { SiteSettings } from "../energy/site/site-settings.ts";
import { nameKey, PersonCreate } from "../people/account.ts";
import { LONGEST_NOTE, SKIPPABLE_STEPS } from "./setup-steps.ts";

/** Characters of a file; more than a house of a hundred devices takes, and less than a request may have. */
export const LONGEST_SETUP_FILE = 50_000;
const MAX_DEVICES = 100;
const MAX_PEOPLE = 50;

const SiteChange = z.strictObject(
  Object.fromEntries(Object.entries(SiteSettings.shape).map(([name, schema]) => [name, schema.nullable()])),
);

const Device = z.strictObject({
  // The same file imported again knows by it what is here.
  name: z.string().trim().min(1).max(64),
  host: z.ipv4().optional(),
  brand: z.string().min(1).max(100).optional(),
  set: z.record(z.string().max(40), z.union([z.string().max(4_000), z.number()])).default({}),
  confirm: z.array(z.string().max(40)).max(20).default([]),
  confirmNoFailsafe: z.boolean().default(false),
  saveAnyway: z.boolean().default(false),
});
export type SetupFileDevice = z.infer<typeof Device>;

const Person = PersonCreate.required({ password: true });

export const SetupFile = z.strictObject({
  site: SiteChange.optional(),
  devices: z
    .array(Device)
    .max(MAX_DEVICES)
    .default([])
    .superRefine((devices, context) => refuseTwice(devices, ({ name }) => name, context)),
  controlTests: z.boolean().default(false),
  people: z
    .array(Person)
    .max(MAX_PEOPLE)
    .default([])
    .superRefine((people, context) => refuseTwice(people, ({ name }) => nameKey(name), context)),
  leaveOut: z.partialRecord(z.enum(SKIPPABLE_STEPS), z.string().trim().min(1).max(LONGEST_NOTE)).default({}),
  handOver: z.strictObject({ note: z.string().trim().max(LONGEST_NOTE).optional() }).optional(),
});
export type SetupFile = z.infer<typeof SetupFile>;

function refuseTwice<Item>(items: readonly Item[], keyOf: (item: Item) => string, context: z.RefinementCtx): void {
  const keys = items.map(keyOf);
  for (const [at, key] of keys.entries()) {
    if (keys.indexOf(key) === at) continue;
    context.addIssue({ code: "custom", path: [at, "name"], message: "This name stands in the file twice" });
  }
}
