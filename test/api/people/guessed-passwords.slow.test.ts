import { expect, test } from "vitest";
import { Browser, house, ownerOf } from "./browser.ts";

test("ten thousand sign-ins with guessed passwords cost a few checks, and keep neither the owner nor a client out", async () => {
  await using opened = await house();
  await ownerOf(opened);
  const { random } = opened.run.process.platform;
  let checks = 0;
  const real = random.scrypt.bind(random);
  random.scrypt = (secret, salt) => {
    checks += 1;
    return real(secret, salt);
  };
  const statuses = new Map<number, number>();
  for (let each = 0; each < 10_000; each += 1) {
    const answer = await opened.api.inject({
      method: "POST",
      url: "/local/session",
      remoteAddress: `10.1.${each % 16}.${each % 250}`,
      payload: { name: "Anna", password: `guess ${each}` },
    });
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 401: 100, 429: 9_900 });
  expect(checks).toBe(100);
  expect((await new Browser(opened).signIn("Anna", "correct horse", { address: "192.168.1.7" })).statusCode).toBe(429);
  expect((await opened.ask({ url: "/batteries" })).statusCode).toBe(200);
  await opened.pass(3_601_000);
  expect((await new Browser(opened).signIn("Anna", "correct horse")).statusCode).toBe(200);
  await Promise.all(
    Array.from({ length: 200 }, (_each, at) =>
      opened.api.inject({
        method: "POST",
        url: "/local/session",
        remoteAddress: `10.2.0.${at}`,
        payload: { name: "Anna", password: "guess" },
      }),
    ),
  );
  // Where the password was right once, nobody else's guesses count.
  expect((await new Browser(opened).signIn("Anna", "correct horse")).statusCode).toBe(200);
});
