/** Which right an operation takes from people. Programs with a token have none of these limits. */
import type { Right } from "../../domain/people/role.ts";

interface Rule {
  /** Absent: all methods. */
  readonly methods?: readonly string[];
  /** Of patterns of routes. */
  readonly routes: RegExp;
  readonly right: Right;
}

const READS = ["GET", "HEAD"];

/** The first rule that fits holds. What none of them knows changes the installation. */
const RULES: readonly Rule[] = [
  // Everybody sees and changes what is his own; the service says whose it is.
  { routes: /^\/local\/sessions?(\/|$)/, right: "see" },
  { routes: /^\/local\/people\/:personId\/passkeys(\/|$)/, right: "see" },
  { methods: [...READS, "PATCH"], routes: /^\/local\/people(\/|$)/, right: "see" },
  { routes: /^\/local\/(people|clients|audit|backups|update|configuration\/backup)(\/|$)/, right: "people" },
  // Passwords are taken out of them, and they tell much about the house all the same.
  {
    routes: /^\/local\/(configuration|logs|diagnostics|notifications|mail-server|modbus-proxy)(\/|$)/,
    right: "install",
  },
  // Addresses of webhooks contain secrets.
  { routes: /^\/(local\/)?webhooks(\/|$)/, right: "install" },
  // They name people, serial numbers and addresses.
  { routes: /^\/local\/setup\/(report|import)$/, right: "install" },
  { methods: READS, routes: /^/, right: "see" },
  { routes: /\/refresh-hint$/, right: "see" },
  { methods: ["DELETE"], routes: /^\/(local\/cloud|users\/:userId|users\/:userId\/authorization)$/, right: "people" },
  { routes: /^\/(users\/:userId\/schedules|schedules\/:scheduleId)$/, right: "command" },
  // Where a device is, and what is at a place.
  { methods: ["PUT"], routes: /^\/[a-z]+\/:[a-zA-Z]+$/, right: "install" },
  { routes: /^\/(batteries|chargers|hvacs|vehicles)\//, right: "command" },
  { routes: /^\/local\/energy\/simulate$/, right: "see" },
  { routes: /^\/local\/energy\/(battery-use|devices\/:deviceId)$/, right: "command" },
];

/** Returns the right that an operation takes, by its method and the pattern of its route. */
export function rightFor(method: string, pattern: string): Right {
  const rule = RULES.find(({ methods, routes }) => (methods?.includes(method) ?? true) && routes.test(pattern));
  return rule?.right ?? "install";
}
