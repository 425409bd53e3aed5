import { expect, test } from "vitest";
import { Receiver } from "../../sync/webhook-world.ts";
import { ownerOf } from "../people/browser.ts";
import { openRealHouse } from "../support/real-house.ts";

test("an owner sees the webhooks of all clients, whose they are, and how the latest deliveries went", async () => {
  await using house = await openRealHouse();
  const receiver = new Receiver();
  house.home.world.web.serve("hooks.example", "93.184.216.34", receiver.serve);
  const anna = await ownerOf(house);
  const webhook = { url: "https://hooks.example/in", secret: "canary-of-the-webhook" };
  await house.ask({ method: "POST", url: "/webhooks", payload: webhook });
  const own = (await anna.send("POST", "/webhooks", { ...webhook, url: "https://nobody.example/in" })).json();
  const theirs = (await house.ask({ url: "/webhooks" })).json().data[0];
  await house.ask({ method: "POST", url: `/webhooks/${theirs.id}/test` });
  expect((await anna.send("POST", `/webhooks/${own.id}/test`)).json().status).toBe("FAILURE");
  const answer = await anna.get("/local/webhooks");
  expect(answer.body).not.toContain("canary");
  const byId = new Map(answer.json().map((each: { webhook: { id: string } }) => [each.webhook.id, each]));
  expect(byId.get(theirs.id)).toMatchObject({
    owner: { id: house.client.id, name: "test", isOwn: false },
    deliveries: [{ isSuccess: true, status: 200 }],
  });
  expect(byId.get(own.id)).toMatchObject({
    owner: { name: "Anna", isOwn: true },
    deliveries: [{ isSuccess: false, status: null, description: expect.stringMatching(/./) }],
  });
});
