/** A vehicle that takes signed commands only. */
import { TEST_KEYS } from "./fake-session.ts";
import { makeTeslaHome, makeVehicle, type TeslaHome } from "./tesla-houses.ts";

export const VIN = makeVehicle().vin;

export async function signedHome(isPaired = true) {
  const home = makeTeslaHome({ vehicles: [makeVehicle({ isSigned: true })] });
  const car = home.twin.car(VIN);
  if (isPaired) car.pair(TEST_KEYS.publicKey);
  return { home, car, device: await home.open() };
}

/** Messages to the vehicle's computer so far. */
export function messages({ twin }: TeslaHome): readonly string[] {
  return twin.asked
    .filter(({ url }) => url.pathname.endsWith("/signed_command"))
    .map(({ json }) => String(Object(json).routable_message));
}

/** Lets the vehicle's next answers be others than it gives. */
export function tamper({ twin }: TeslaHome, change: (answer: Buffer) => Buffer | null) {
  const serve = twin.serve.bind(twin);
  twin.serve = (request) => {
    const answer = serve(request);
    if (!request.path.endsWith("/signed_command")) return answer;
    const told = change(Buffer.from(JSON.parse(answer.body ?? "").response, "base64"));
    return { ...answer, body: JSON.stringify({ response: told?.toString("base64") ?? null }) };
  };
}
