import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SeededRandom } from "../../../src/testing/seeded-random.ts";
import type { Estate } from "../estate.ts";
import { easeeEstate, zaptecEstate } from "./chargers.ts";
import { enphaseEstate, myuplinkEstate, smaEstate, teslaEstate } from "./oauth.ts";
import { froniusEstate, goodweEstate, growattEstate, huaweiEstate, solaredgeEstate } from "./solar.ts";
import { ecobeeEstate, sensiboEstate, tadoEstate } from "./thermostats.ts";

const MAKERS: readonly ((clock: Clock, random: SeededRandom) => Estate)[] = [
  easeeEstate,
  ecobeeEstate,
  enphaseEstate,
  froniusEstate,
  goodweEstate,
  growattEstate,
  huaweiEstate,
  myuplinkEstate,
  sensiboEstate,
  smaEstate,
  solaredgeEstate,
  tadoEstate,
  teslaEstate,
  zaptecEstate,
];

/** One account with each vendor. */
export function allEstates(clock: Clock, random: SeededRandom): readonly Estate[] {
  return MAKERS.map((make, index) => make(clock, random.fork(`estate ${index}`)));
}
