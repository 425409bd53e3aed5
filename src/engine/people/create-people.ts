/** Creates the features about people: their accounts, and who did what. */
import type { Audit, People } from "../contracts/people.ts";
import type { Feature } from "../feature.ts";
import { AuditLog } from "./audit-log.ts";
import { type PeopleNeeds, PeopleService } from "./people-service.ts";

export interface PeopleFeatures {
  readonly people: Feature<People>;
  readonly audit: Feature<Audit>;
}

export function createPeople(context: PeopleNeeds): PeopleFeatures {
  const people = new PeopleService({ ...context, log: context.log.child({ part: "people" }) });
  return {
    people: { name: "people", service: people, connect: () => people.connect() },
    audit: { name: "audit", service: new AuditLog(context) },
  };
}
