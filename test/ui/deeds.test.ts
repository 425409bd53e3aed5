import { expect, test } from "vitest";
import { deedOf } from "../../src/ui/app/pages/settings/deeds.ts";

test.each([
  ["/local/session", "session"],
  ["/local/sessions/1f", "session"],
  ["/local/claim", "claim"],
  ["/local/people/1f/passkeys", "people"],
  ["/local/energy/limits/14a", "limits"],
  ["/local/energy/devices/1f", "modes"],
  ["/chargers/1f/charging", "command"],
  ["/users/home/schedules", "command"],
  ["/users/home/link", "devices"],
  ["/local/configuration/backup", "settings"],
  ["homeassistant/charger/1f/set", "other"],
])("%s is about: %s", (path, deed) => {
  expect(deedOf(path)).toBe(deed);
});
