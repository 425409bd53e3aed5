import { expect, test } from "vitest";
import { createSignIns } from "../../src/broker/sign-ins.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const users = [{ username: "plug", password: "long enough", publish: ["tele/#"], subscribe: ["cmnd/#"] }];

function open(limit = 3) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const isClient = async (id: string, secret: string) => {
    asked.push(id);
    return id === "app" && secret === "secret";
  };
  const access = createSignIns({ users, isClient, clock, limit });
  const signIn = (username: string, password: string, address = "10.0.0.5") =>
    access.signIn({ username, password, address });
  return { clock, asked, signIn };
}

test("users of the configuration have their rights, clients of the API read", async () => {
  const { signIn } = open();
  expect(await signIn("plug", "long enough")).toMatchObject({ publish: ["tele/#"], subscribe: ["cmnd/#"] });
  expect(await signIn("app", "secret")).toEqual({ username: "app", publish: [], subscribe: ["hemgate/#"] });
  expect(await signIn("plug", "long enougH")).toBeNull();
  expect(await signIn("", "")).toBeNull();
});

test("a user of the configuration is no client of the API by another password", async () => {
  const { signIn, asked } = open();
  expect(await signIn("plug", "secret")).toBeNull();
  expect(asked).toEqual([]);
});

test("an address that guesses has to wait, ever longer, and costs nothing meanwhile", async () => {
  const { signIn, clock, asked } = open(3);
  for (let tries = 0; tries < 3; tries += 1) await signIn("app", "wrong");
  expect(await signIn("app", "secret")).toBeNull();
  expect(asked).toHaveLength(3);
  expect(await signIn("app", "secret", "10.0.0.6")).not.toBeNull();
  await clock.advance(60_000);
  await signIn("app", "wrong");
  await clock.advance(60_000);
  expect(await signIn("app", "secret")).toBeNull();
  await clock.advance(60_000);
  expect(await signIn("app", "secret")).not.toBeNull();
});

test("ten thousand guesses in an hour are a few", async () => {
  const { signIn, clock, asked } = open(10);
  for (let tries = 0; tries < 10_000; tries += 1) {
    await signIn("app", `guess ${tries}`);
    await clock.advance(360);
  }
  expect(asked.length).toBeLessThan(20);
});

test("a wrong password of one does not keep another out behind the same address, until thirty are wrong", async () => {
  const { signIn } = open(10);
  for (let tries = 0; tries < 11; tries += 1) await signIn("plug", "wrong");
  expect(await signIn("plug", "long enough")).toBeNull();
  expect(await signIn("app", "secret")).not.toBeNull();
  for (let tries = 0; tries < 20; tries += 1) await signIn(`guess ${tries}`, "wrong");
  expect(await signIn("app", "secret")).toBeNull();
});
