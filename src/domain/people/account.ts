/** Accounts of people, and what a browser sends and gets. */
import { z } from "zod";
import { hasNoControls, Instant, NullableInstant } from "../fields.ts";
import { CLIENT_SCOPES } from "../users/scope.ts";
import { RIGHTS, ROLES } from "./role.ts";

const MAX_NAME_CHARACTERS = 64;
const MIN_PASSWORD_CHARACTERS = 8;
const MAX_PASSWORD_CHARACTERS = 256;
/** Longer than any code with blanks and dashes. */
const MAX_CODE_CHARACTERS = 40;

/** A person's name. It is stored and shown as text, never as markup. */
const AccountName = z
  .string()
  .max(4 * MAX_NAME_CHARACTERS)
  .refine(hasNoControls, { error: "Expected no line breaks or other control characters" })
  .transform((name) => name.normalize("NFC").trim())
  .refine((name) => name !== "" && name.length <= MAX_NAME_CHARACTERS, {
    error: `Expected 1 to ${MAX_NAME_CHARACTERS} characters`,
  })
  .meta({ description: `Name to sign in with: 1 to ${MAX_NAME_CHARACTERS} characters, no two alike.` });

/** A new password. One form for letters that keyboards write in several ways. */
const NewPassword = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, { error: `Expected at least ${MIN_PASSWORD_CHARACTERS} characters` })
  .max(MAX_PASSWORD_CHARACTERS, { error: `Expected at most ${MAX_PASSWORD_CHARACTERS} characters` })
  .meta({ description: `${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters.` });

/** A password that is compared only; nothing longer can be one. */
const TriedPassword = z.string().max(MAX_PASSWORD_CHARACTERS);

const LanguageTag = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/, { error: "Expected a language such as en or de-DE" });
const Language = LanguageTag.nullable().meta({
  description: "Language that the person reads, such as `de` or `en-US`; `null` if none was chosen.",
});
const RoleName = z.enum(ROLES).meta({
  description:
    "`owner`: everything. `installer`: sees, commands and installs, for 30 days at a time. `member`: sees and commands. `guest`: sees.",
});
const ExpiresAt = NullableInstant.meta({
  description: "Time at which the account ends; an owner can renew it. `null`: it does not end by itself.",
});

const ACCOUNT_FIELDS = {
  id: z.uuid(),
  name: z.string().meta({ description: "Name that the person signs in with; plain text." }),
  role: RoleName,
  language: Language,
  expiresAt: ExpiresAt,
} as const;

const Account = z.object(ACCOUNT_FIELDS).meta({ id: "Account", description: "The account that is signed in." });

/** A session of a person, without its secret, which is in the cookie. */
export const Session = z
  .object({
    account: Account,
    rights: z.array(z.enum(RIGHTS)).meta({ description: "What the account's role may do." }),
    csrfToken: z.string().meta({
      description: "To be sent as `X-CSRF-Token` with every request of this session that changes something.",
    }),
    expiresAt: Instant.meta({ description: "Time at which the session ends; each request moves it 30 days ahead." }),
  })
  .meta({ id: "Session" });
export type Session = z.infer<typeof Session>;

/** Whether a gateway has an owner. */
export const ClaimState = z
  .object({
    isClaimed: z.boolean().meta({
      description: "`false`: nobody has an account yet; the setup code in the gateway's log makes the first owner.",
    }),
  })
  .meta({ id: "ClaimState" });

/** What a setup code, an invitation or a code for a new password is exchanged for a session with. */
export const Claim = z
  .strictObject({
    code: z.string().max(MAX_CODE_CHARACTERS).meta({ description: "Such as `K7QM-2FXA`. It counts once." }),
    name: AccountName,
    password: NewPassword,
    language: LanguageTag.optional().meta({ description: "Language that the person reads." }),
  })
  .meta({ id: "Claim" });

/** A sign-in. */
export const SignIn = z
  .strictObject({ name: z.string().max(4 * MAX_NAME_CHARACTERS), password: TriedPassword })
  .meta({ id: "SignIn" });

/** A person with an account, as owners see it. */
export const Person = z
  .object({
    ...ACCOUNT_FIELDS,
    createdAt: Instant.meta({ description: "Time at which the account was made." }),
    lastSeenAt: NullableInstant.meta({
      description: "Time of the last request, to within an hour, of the sessions that are open; `null` without one.",
    }),
    isPending: z.boolean().meta({ description: "`true`: invited, and without a password yet." }),
  })
  .meta({ id: "Person" });
export type Person = z.infer<typeof Person>;

/** A new account. */
export const PersonCreate = z
  .strictObject({
    name: AccountName,
    role: RoleName,
    language: LanguageTag.optional().meta({ description: "Language that the person reads." }),
    password: NewPassword.optional().meta({ description: "Left out: the answer has an invitation code." }),
  })
  .meta({ id: "PersonCreate" });

/** A new account with its invitation. */
export const NewPerson = Person.extend({
  code: z.string().nullable().meta({
    description: "Invitation for POST /local/claim, shown this once; `null` if a password was given.",
  }),
  codeExpiresAt: NullableInstant.meta({ description: "End of the invitation; `null` without one." }),
}).meta({ id: "NewPerson" });

/** Changes of an account. */
export const PersonUpdate = z
  .strictObject({
    name: AccountName.optional(),
    language: Language.optional(),
    role: RoleName.optional(),
    renew: z.literal(true).optional().meta({ description: "An installer may enter for 30 more days from now." }),
    password: NewPassword.optional().meta({
      description: "A new password for the signed-in account; it needs `oldPassword`.",
    }),
    oldPassword: TriedPassword.optional(),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    error: "Expected at least one change",
  })
  .refine(({ password, oldPassword }) => (password === undefined) === (oldPassword === undefined), {
    error: "Expected password and oldPassword together",
    path: ["oldPassword"],
  })
  .meta({ id: "PersonUpdate" });
export type PersonUpdate = z.infer<typeof PersonUpdate>;

/** A browser that is signed in. */
export const SessionEntry = z
  .object({
    id: z.uuid(),
    accountId: z.uuid(),
    accountName: z.string(),
    isCurrent: z.boolean().meta({ description: "`true` for the session of this request." }),
    createdAt: Instant.meta({ description: "Time of the sign-in." }),
    lastSeenAt: Instant.meta({ description: "Time of the last request, to within an hour." }),
    expiresAt: Instant,
    address: z.string().meta({ description: "IP address of the sign-in." }),
    userAgent: z.string().nullable().meta({ description: "What the browser called itself; `null` if nothing." }),
  })
  .meta({ id: "SessionEntry" });
export type SessionEntry = z.infer<typeof SessionEntry>;

/** A program with credentials. */
export const ClientEntry = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: Instant,
    version: z.string().meta({ description: "Version of the API that its requests mean when they name none." }),
    scopes: z.array(z.string()).meta({ description: "What it may do beside what every client may." }),
    lastUsedAt: NullableInstant.meta({
      description: "Time at which it last got an access token, which is valid for an hour; `null` if none is known.",
    }),
  })
  .meta({ id: "ClientEntry" });
export type ClientEntry = z.infer<typeof ClientEntry>;

/** The body that creates a client. */
export const ClientCreate = z
  .strictObject({
    name: z.string().trim().min(1).max(255).meta({ description: "What people call the program." }),
    version: z.string().max(100).optional().meta({
      description: "Version of the API that its requests mean when they name none; default the newest.",
    }),
    scopes: z
      .array(z.enum(CLIENT_SCOPES))
      .default([])
      .meta({ description: "What it may do beside what every client may." }),
  })
  .meta({ id: "ClientCreate" });

/** A new client with its secret. */
export const NewClient = z
  .object({
    id: z.string(),
    secret: z.string().meta({ description: "Shown this once; only a hash of it is kept." }),
  })
  .meta({ id: "NewClient" });

/** The body that pins a client to a version. */
export const ClientUpdate = z
  .strictObject({
    version: z.string().max(100).meta({
      description: "Version of the API that its requests mean when they name none.",
    }),
  })
  .meta({ id: "ClientUpdate" });

/** Returns the form of a name in which two names are compared. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}
