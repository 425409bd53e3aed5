import { RegisterException } from "hemgate/sdk";
import { expect, test } from "vitest";
import { outcome } from "./bus-world.ts";
import { lineBed, PACING } from "./line-harness.ts";

const calm = new AbortController().signal;
const PASS = (): null => null;

function bed() {
  const { bus, image, world } = lineBed("rtu");
  const unit = bus.unit(1, PACING);
  const guest = unit.guest!;
  const holding = (address: number) => ({ table: "holding", address, count: 1 }) as const;
  const read = (address: number) => unit.read("holding", address, 1, calm);
  const guestRead = (address: number, signal = calm) => guest.read(holding(address), signal);
  const guestWrite = (address: number, refusal: () => RegisterException | null = PASS) =>
    guest.write({ code: 6, address, values: [7] }, refusal, calm);
  const write = (address: number) => unit.write(address, [1], 6, calm);
  const finish = (all: readonly Promise<unknown>[]) => world.clock.resolve(Promise.allSettled(all), 60_000);
  return { bus, unit, image, world, read, write, guestRead, guestWrite, finish };
}

test("other programs and the gateway's polls take turns, and the gateway's commands come first", async () => {
  const { image, read, write, guestRead, guestWrite, finish } = bed();
  const all = [
    ...[10, 11, 12, 13].map((address) => guestRead(address)),
    guestWrite(14),
    ...[1, 2, 3].map((address) => read(address)),
    write(0),
  ];
  await finish(all);
  const asked = image.asked.map((each) => each.replace("1 ", "").replace("+1", ""));
  expect(asked.join(", ")).toBe("0 = 1, 1, 10, 2, 11, 3, 12, 13, 14 = 7");
});

test("a write of another program is asked about right before it is sent, and the next goes on", async () => {
  const { image, read, guestRead, guestWrite, finish } = bed();
  let isCommanded = false;
  const refusal = () => (isCommanded ? new RegisterException(6, "commanded") : null);
  const write = outcome(guestWrite(5, refusal));
  const after = guestRead(6);
  const poll = read(1);
  isCommanded = true;
  await finish([write, after, poll]);
  expect(await write).toMatchObject({ code: 6, message: "commanded" });
  expect(image.asked.toSorted()).toEqual(["1 1+1", "1 6+1"]);
});

test("a unit whose only request was refused does not hold up another unit", async () => {
  const { bus, image, guestWrite, finish } = bed();
  const other = bus.unit(2, PACING);
  const refused = outcome(guestWrite(5, () => new RegisterException(6, "commanded")));
  const reading = other.read("holding", 9, 1, calm);
  await finish([refused, reading]);
  expect(await refused).toMatchObject({ code: 6 });
  expect(image.asked).toEqual(["2 9+1"]);
});

test("more than 16 waiting requests of other programs are told to come again", async () => {
  const { image, guestRead, read, finish } = bed();
  const guests = Array.from({ length: 30 }, (_unused, index) => outcome(guestRead(100 + index)));
  const own = read(1);
  await finish([...guests, own]);
  const refused = (await Promise.all(guests)).filter((each) => each instanceof RegisterException);
  expect(refused).toHaveLength(14);
  expect(refused.every(({ code }) => code === 6)).toBe(true);
  expect(image.asked).toHaveLength(17);
});

test("a request whose program left is not sent", async () => {
  const { image, guestRead, read, finish } = bed();
  const left = new AbortController();
  const waiting = outcome(guestRead(5, left.signal));
  const own = read(1);
  left.abort(new Error("left"));
  await finish([waiting, own]);
  expect(await waiting).toMatchObject({ message: "left" });
  expect(image.asked).toEqual(["1 1+1"]);
});

test("2,000 coils are read in one request", async () => {
  const { unit, world } = bed();
  const reading = unit.guest!.read({ table: "coil", address: 0, count: 2_000 }, calm);
  const coils = await world.clock.resolve(reading, 60_000);
  expect(coils).toHaveLength(2_000);
  expect([...coils.slice(0, 4)]).toEqual([0, 1, 0, 1]);
});
