import { Document, isCollection, isMap, isScalar, isSeq, visit } from "yaml";
import type { DeviceProfile } from "../../sdk/profile.ts";

/** Lines are never folded: a register stays one line. */
const LINE_WIDTH = 0;
/** Lists whose entries are a line each, as a manual prints its registers. */
const TABLES = ["transports", "points", "derived"];

/** A profile as a file that `loadProfile` reads: one line a register. */
export function profileYaml(profile: DeviceProfile): string {
  const document = new Document(profile, { aliasDuplicateObjects: false });
  for (const name of TABLES) {
    const list = document.get(name);
    if (isSeq(list)) for (const item of list.items) if (isCollection(item)) item.flow = true;
  }
  visit(document, {
    Pair: (_key, { key, value }) => {
      // A write's steps say most on one line each, too.
      if (isScalar(key) && key.value === "steps" && isSeq(value)) {
        for (const step of value.items) if (isMap(step)) step.flow = true;
      }
    },
  });
  return document.toString({ lineWidth: LINE_WIDTH, flowCollectionPadding: true });
}
