/** A word or phrase of the dialect that the product has outgrown. */
export interface BannedWord {
  /** A pattern for whole lower-case words; names are split before they are compared: `lastTold` is `last told`. */
  readonly pattern: string;
  /** `names`: identifiers and file names only, because the word is plain English in a sentence. */
  readonly where: "everywhere" | "names";
  readonly why: string;
  readonly instead: string;
}

/** A key of the API, of the cloud protocol, of a stored record or of a configuration file. It keeps its name, because others read or write it. */
export interface FixedKey {
  /** A file, or a folder with all its files. */
  readonly path: string;
  readonly key: string;
}

export const FIXED_KEYS: readonly FixedKey[] = [
  { path: "adapters/http-json/profiles", key: "wish" },
  { path: "adapters/modbus/profile", key: "wish" },
  { path: "adapters/modbus/profiles", key: "wish" },
  { path: "adapters/simulated/device/charger-model.ts", key: "energyWanted" },
  { path: "src/cli-socket/messages.ts", key: "held" },
  { path: "src/api/openapi/examples/gateway.ts", key: "farewells" },
  { path: "src/cli/cloud/cloud.ts", key: "farewells" },
  { path: "src/config/profile/formula-schema.ts", key: "wish" },
  { path: "src/domain/checks/finding.ts", key: "held" },
  { path: "src/domain/cloud/cloud-link-view.ts", key: "farewells" },
  { path: "src/domain/cloud/cloud-link-view.ts", key: "givenAt" },
  { path: "src/api/openapi/examples/sandbox.ts", key: "energyWanted" },
  { path: "src/domain/sandbox/simulated.ts", key: "energyWanted" },
  { path: "src/sdk/formula.ts", key: "wish" },
  { path: "src/store/backup/restore-records.ts", key: "cloud-farewell" },
  { path: "src/store/copied-tables.ts", key: "cloud-farewell" },
  { path: "src/store/records.ts", key: "cloud-farewell" },
  { path: "src/store/records/cloud/cloud.ts", key: "givenAtMs" },
  { path: "src/store/tables.ts", key: "cloud-farewell" },
  { path: "src/sync/cloud/session.ts", key: "meeting" },
  { path: "src/sync/identity/cloud-link.ts", key: "farewells" },
  { path: "src/sync/identity/enrolment-service.ts", key: "farewells" },
  { path: "src/sync/identity/identities.ts", key: "cloud-farewell" },
  { path: "src/sync/identity/identity-status.ts", key: "givenAt" },
  { path: "src/sync/identity/parse-identity.ts", key: "givenAtMs" },
  { path: "src/sync/protocol/handshake.ts", key: "meeting" },
];

const PARTICIPLE = "a participle is no noun, and this one has several meanings";
const METAPHOR = "a metaphor has to be decoded, and no search for the field's term finds it";
const ARCHAIC = "it is not the English that a colleague speaks";

export const BANNED_WORDS: readonly BannedWord[] = [
  {
    pattern: "(un)?told",
    where: "everywhere",
    why: PARTICIPLE,
    instead: "reported, sent, published, informed, readings",
  },
  { pattern: "meant", where: "everywhere", why: PARTICIPLE, instead: "lookup, intended, target" },
  { pattern: "(un)?heard", where: "names", why: PARTICIPLE, instead: "received, seen, message" },
  { pattern: "given", where: "names", why: PARTICIPLE, instead: "argument, parsed, options" },
  { pattern: "held", where: "names", why: PARTICIPLE, instead: "reserved, kept, status" },
  { pattern: "wanted", where: "names", why: PARTICIPLE, instead: "requested, required, target" },
  { pattern: "wish(es|ed)?", where: "names", why: METAPHOR, instead: "setpoint, setting, request, target" },
  { pattern: "bells?", where: "everywhere", why: METAPHOR, instead: "wake signal" },
  { pattern: "drawers?", where: "everywhere", why: METAPHOR, instead: "key-value file, store" },
  { pattern: "shel(f|ves)", where: "everywhere", why: METAPHOR, instead: "map, cache" },
  { pattern: "doorkeepers?", where: "everywhere", why: METAPHOR, instead: "access control" },
  { pattern: "farewells?", where: "everywhere", why: METAPHOR, instead: "deregistration" },
  { pattern: "lanes?", where: "everywhere", why: METAPHOR, instead: "queue, stream, unit" },
  { pattern: "manners", where: "everywhere", why: METAPHOR, instead: "limits, options, timing" },
  { pattern: "meetings?", where: "names", why: METAPHOR, instead: "pending session" },
  { pattern: "resting", where: "names", why: METAPHOR, instead: "paused, retry delay" },
  { pattern: "turns?", where: "names", why: METAPHOR, instead: "lock, slot, step" },
  { pattern: "unguarded", where: "everywhere", why: METAPHOR, instead: "without failsafe" },
  {
    pattern: "outliv(e|es|ed|ing)",
    where: "everywhere",
    why: METAPHOR,
    instead: "remains active after, lasts longer than",
  },
  { pattern: "lives? through", where: "everywhere", why: METAPHOR, instead: "survives" },
  { pattern: "vouch(es|ed|ing)?( for)?", where: "everywhere", why: METAPHOR, instead: "confirm, guarantee" },
  { pattern: "reckon(s|ed|ing)?", where: "everywhere", why: ARCHAIC, instead: "calculate, estimate" },
  { pattern: "shall", where: "everywhere", why: ARCHAIC, instead: "should, must, will" },
  { pattern: "anew", where: "everywhere", why: ARCHAIC, instead: "again" },
  { pattern: "whoever", where: "everywhere", why: ARCHAIC, instead: "the client, the caller, the user that" },
  { pattern: "(?<!there )is none", where: "everywhere", why: ARCHAIC, instead: "is not a …, does not count as …" },
  {
    pattern: "of (its|their|his|my|our|your|one s) own",
    where: "everywhere",
    why: ARCHAIC,
    instead: "its own …, separate",
  },
];
