import type { Random } from "../platform/ports/ports.ts";
import type { Store } from "./store.ts";

/** Key of the only record of the table. */
const KEY = "this";

/** Returns the UUID of this installation; creates it at the first call. Rejects with a `StorageError`. */
export async function gatewayId({
  store,
  random,
}: {
  readonly store: Pick<Store, "get" | "commit">;
  readonly random: Pick<Random, "uuid">;
}): Promise<string> {
  const known = store.get("gateway", KEY);
  if (known !== null) return known.id;
  const id = random.uuid();
  await store.commit([{ table: "gateway", key: KEY, put: { id } }], []);
  return id;
}
